import type { Kysely } from 'kysely'
import { caseRepository } from '../cases/repository.ts'
import { referencesOf } from '../cases/routing.ts'
import type { DB } from '../db/database.generated.ts'
import { BusinessError } from '../errors.ts'
import type { Library } from '../flows/library.ts'
import { checkForm } from '../forms/check.ts'
import { type Person, admits } from '../identity/person.ts'
import { at } from '../registers/definition.ts'
import { type Allocation, allocations } from './allocations.ts'

/**
 * Holds of people who are about to submit: the flow's manifest says which fields of its form name the slot. They are
 * checked by the form's own rules before anything is held.
 */
export function holdsService({ db, library }: { db: Kysely<DB>; library: Library }) {
  return {
    async hold(person: Person, { flow, data }: { flow: string; data: object }): Promise<Allocation> {
      const manifest = library.flows.get(flow)?.manifest
      const form = manifest && library.forms.get(manifest.start)
      if (!manifest || !form || admits(person, manifest.startedBy) === undefined)
        throw new BusinessError('platform.not-found')
      const slot = manifest.allocations?.[0]
      if (!slot) throw new BusinessError('platform.nothing-to-hold')
      const fields = [slot.item, slot.from, slot.until]
      const wrong = checkForm(form.schema, data).filter(({ field }) => fields.includes(field))
      if (wrong.length > 0) throw new BusinessError('platform.form-invalid', {}, wrong)
      const [item, from, until] = fields.map((field) => String(at(data, field))) as [string, string, string]
      if (Date.parse(from) < Date.now())
        throw new BusinessError('platform.span-past', {}, [{ field: slot.from, code: 'platform.span-past' }])
      const register = referencesOf(form.schema, data).find(({ path }) => path === slot.item)?.register
      return db.transaction().execute(async (trx) => {
        // Of another register nothing can be booked, so nothing can be held either.
        if (register && !(await caseRepository(trx).findItem(register, item)))
          throw new BusinessError('platform.item-unknown')
        return allocations(trx).hold({ item, during: { from, until }, holder: person.id, code: slot.code })
      })
    },

    async release(person: Person, id: string): Promise<void> {
      await db.transaction().execute((trx) => allocations(trx).releaseHold(id, person.id))
    },
  }
}
