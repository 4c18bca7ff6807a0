import { expect, test } from '@jest/globals'
import { amountSaidIn } from '../../forms/platform/amount-words.ts'
import { amountInWords, withDerived } from '../../forms/platform/derived.ts'

test.each([
  [0, 'Rupees zero only'],
  [50, 'Rupees zero and cents fifty only'],
  [1_00, 'Rupees one only'],
  [19_05, 'Rupees nineteen and cents five only'],
  [21_00, 'Rupees twenty-one only'],
  [110_00, 'Rupees one hundred and ten only'],
  [1_000_00, 'Rupees one thousand only'],
  [30_000_000, 'Rupees three hundred thousand only'],
  [1_002_003_04, 'Rupees one million two thousand three and cents four only'],
  [
    1_234_567_891_25,
    'Rupees one billion two hundred and thirty-four million five hundred and sixty-seven thousand eight hundred and ninety-one and cents twenty-five only',
  ],
])('%s cents are “%s”', (cents, words) => expect(amountInWords(cents)).toBe(words))

test.each([
  [0, 'රුපියල් ශුන්‍යය පමණි', 'ரூபாய் பூச்சியம் மட்டும்'],
  [12_50, 'රුපියල් දොළහ සහ ශත පනහ පමණි', 'ரூபாய் பன்னிரண்டு மற்றும் சதம் ஐம்பது மட்டும்'],
  [150_00, 'රුපියල් එකසිය පනහ පමණි', 'ரூபாய் நூற்று ஐம்பது மட்டும்'],
  [950_00, 'රුපියල් නවසිය පනහ පමණි', 'ரூபாய் தொள்ளாயிரத்து ஐம்பது மட்டும்'],
  [1_000_00, 'රුපියල් එක්දහස පමණි', 'ரூபாய் ஆயிரம் மட்டும்'],
  [1_500_00, 'රුපියල් එක්දහස් පන්සියය පමණි', 'ரூபாய் ஆயிரத்து ஐந்நூறு மட்டும்'],
  [123_456_00, 'රුපියල් එක්ලක්ෂ විසිතුන්දහස් හාරසිය පනස්හය පමණි', 'ரூபாய் ஒரு இலட்சத்து இருபத்து மூன்றாயிரத்து நானூற்று ஐம்பத்து ஆறு மட்டும்'],
  [11_000_00, 'රුපියල් එකොළොස්දහස පමණි', 'ரூபாய் பதினோராயிரம் மட்டும்'],
  [21_600_00, 'රුපියල් විසිඑක්දහස් හයසියය පමණි', 'ரூபாய் இருபத்தோராயிரத்து அறுநூறு மட்டும்'],
  [1_100_000_00, 'රුපියල් එකොළොස්ලක්ෂය පමණි', 'ரூபாய் பதினொரு இலட்சம் மட்டும்'],
  [1_230_000_000_00, 'රුපියල් එකසිය විසිතුන්කෝටිය පමණි', 'ரூபாய் நூற்று இருபத்து மூன்று கோடி மட்டும்'],
  [21_000_000_00, 'රුපියල් දෙකෝටි දසලක්ෂය පමණි', 'ரூபாய் இரண்டு கோடியே பத்து இலட்சம் மட்டும்'],
])('%s cents are said in Sinhala and Tamil', (cents, si, ta) =>
  expect([amountSaidIn('si', cents), amountSaidIn('ta', cents)]).toEqual([si, ta]),
)

test('derived values replace what was sent, and are absent where nothing is derived', () => {
  const schema = {
    properties: { lines: {}, total: { 'x-sum': '/lines/amount' }, words: { 'x-words': '/total' }, other: {} },
  }
  const lines = [{ amount: 100 }, { amount: 250 }, { note: 'without' }]
  expect(withDerived(schema, { lines, total: 1, words: 'nothing', other: 'stays' })).toEqual({
    lines,
    total: 350,
    words: 'Rupees three and cents fifty only',
    other: 'stays',
  })
  expect(withDerived(schema, { total: 1, words: 'nothing' })).toEqual({})
})

test('while an address is the same as another it follows it, and it is the same by itself if all parts are equal', () => {
  const same = { own_city: 'city', own_no: 'no' }
  const schema = { properties: { city: {}, no: {}, own_city: {}, own_no: {}, same: { 'x-same': same } } }
  expect(withDerived(schema, { city: 'Kandy', same: true, own_city: 'Galle', own_no: '7' })).toEqual({
    city: 'Kandy',
    own_city: 'Kandy',
    same: true,
  })
  const equal = { city: 'Kandy', no: '7', own_city: 'Kandy', own_no: '7' }
  expect(withDerived(schema, equal)).toEqual({ ...equal, same: true })
  for (const other of [
    { ...equal, same: false },
    { ...equal, own_no: '8' },
    { city: 'Kandy', own_city: 'Kandy' },
  ])
    expect(withDerived(schema, other)).toEqual(other)
})

test('what a value is in other words follows from it, and nothing from a value without such words', () => {
  const schema = { properties: { stage: { 'x-maps': { of: 'level', to: { Master: 'Postgraduate' } } }, level: {} } }
  expect(withDerived(schema, { level: 'Master', stage: 'typed' })).toEqual({ level: 'Master', stage: 'Postgraduate' })
  for (const level of ['Bachelor', 'toString'])
    expect(withDerived(schema, { level, stage: 'typed' })).toEqual({ level })
  expect(withDerived(schema, { stage: 'typed' })).toEqual({})
})

test('a day some months later, and a number that is more, follow from other fields', () => {
  const schema = {
    properties: { next: { 'x-plus': { of: 'on', months: 6 } }, due: { 'x-plus': { of: 'at', number: 5000 } } },
  }
  const next = (on: string) => withDerived(schema, { on, next: 'typed' })
  expect(next('2026-03-31')).toEqual({ on: '2026-03-31', next: '2026-09-30' })
  expect(next('2026-08-31')).toEqual({ on: '2026-08-31', next: '2027-02-28' })
  expect(next('soon')).toEqual({ on: 'soon' })
  expect(withDerived(schema, { at: 79500 })).toEqual({ at: 79500, due: 84500 })
})
