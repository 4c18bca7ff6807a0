import sharp from 'sharp'
import type { Person } from './people.ts'
import { uploads } from './uploads.ts'

const RECORD = '/api/records/applicant-accounts/applicant'

/** Basic information in which the postal address is the permanent one. */
export const basicInformation = (of: { photo: string; province: string; district: string }) => ({
  name_with_initials: 'N. Perera',
  full_name: 'Nuwan Perera',
  first_name: 'Nuwan',
  gender: 'Male',
  date_of_birth: '1999-05-14',
  age: '27',
  citizenship: 'Citizen of Sri Lanka by Descent',
  nic: '991354567V',
  mobile_no: '0771231231',
  email: 'nuwan@example.lk',
  permanent_address_no: '21',
  permanent_address_street: 'Albert Crescent',
  permanent_address_city: 'Kandy',
  permanent_address_town: 'Hill Street',
  permanent_address_province: of.province,
  permanent_address_district: of.district,
  same_as_permanant_address: true,
  applicant_photo: of.photo,
})

/** Completes the steps of the applicant's record that may not stay empty. */
export async function fillsInRecord(applicant: Person): Promise<void> {
  const picture = sharp({ create: { width: 90, height: 90, channels: 3, background: '#7a1f2b' } })
  const photo = await uploads(applicant, 'me.png', await picture.png().toBuffer())
  const { items } = await applicant.get('/api/registers/platform/district/items?search=Kandy')
  const [{ id: district, data }] = items
  const referee = {
    name: 'Sunil Fernando',
    designation: 'Professor of Music',
    address: 'Colombo',
    email: 'sunil@example.lk',
    contact_no: '0112903903',
  }
  const diploma = { kind: 'Diploma', name: 'Diploma in Sitar', institute: 'Academy', effective_date: '2018-05-14' }
  const steps = {
    basic_information: basicInformation({ photo, province: data.province, district }),
    qualifications: { qualifications: [diploma] },
    referees: { referees: [referee, { ...referee, name: 'Nimal Silva' }] },
  }
  const { steps: begun } = await applicant.get(RECORD)
  for (const [step, said] of Object.entries(steps)) {
    const { version } = begun.find(({ name }: { name: string }) => name === step)
    await applicant.ok('PUT', `${RECORD}/steps/${step}`, { data: said, complete: true, ...(version && { version }) })
  }
}
