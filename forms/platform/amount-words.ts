import { amountInWords } from './derived.ts'

/** Number words of a language that says lakhs and crores. `before` is the form in which a word precedes a smaller one. */
interface Words {
  zero: string
  /** 1 to 99. */
  below: (number: number, before: boolean) => string
  /** 100 to 900. */
  hundreds: (count: number, before: boolean) => string
  thousands: (count: string, one: boolean, before: boolean) => string
  lakhs: (count: string, one: boolean, before: boolean) => string
  crores: (count: string, one: boolean, before: boolean) => string
  /** How a count of thousands, lakhs or crores is written before them. */
  counting: (number: number) => string
  amount: (rupees: string) => string
  cents: (rupees: string, cents: string) => string
}

const split = (words: string) => ['', ...words.split(' ')]

const sinhala: { units: string[]; teens: string[]; tens: string[]; joined: string[] } = {
  units: split('එක දෙක තුන හතර පහ හය හත අට නවය'),
  teens: split('එකොළහ දොළහ දහතුන දහහතර පහළොව දහසය දහහත දහඅට දහනවය'),
  tens: split('දහය විස්ස තිහ හතළිහ පනහ හැට හැත්තෑව අසූව අනූව'),
  joined: split('දස විසි තිස් හතළිස් පනස් හැට හැත්තෑ අසූ අනූ'),
}
const sinhalaBefore = {
  units: split('එක් දෙ තුන් හාර පන් හය හත් අට නව'),
  teens: split('එකොළොස් දොළොස් දහතුන් දහහතර පහළොස් දහසය දහහත් දහඅට දහනව'),
}

function sinhalaBelow(number: number, before: boolean): string {
  const [ten, unit] = [Math.floor(number / 10), number % 10]
  const { units, teens } = before ? sinhalaBefore : sinhala
  if (ten === 1 && unit > 0) return teens[unit] ?? ''
  if (unit === 0) return (before ? sinhala.joined : sinhala.tens)[ten] ?? ''
  return `${ten > 0 ? sinhala.joined[ten] : ''}${units[unit]}`
}

const tamil = {
  units: split('ஒன்று இரண்டு மூன்று நான்கு ஐந்து ஆறு ஏழு எட்டு ஒன்பது'),
  teens: split('பதினொன்று பன்னிரண்டு பதின்மூன்று பதினான்கு பதினைந்து பதினாறு பதினேழு பதினெட்டு பத்தொன்பது'),
  tens: split('பத்து இருபது முப்பது நாற்பது ஐம்பது அறுபது எழுபது எண்பது தொண்ணூறு'),
  joined: split('பத்து இருபத்து முப்பத்து நாற்பத்து ஐம்பத்து அறுபத்து எழுபத்து எண்பத்து தொண்ணூற்று'),
  hundreds: split('நூறு இருநூறு முந்நூறு நானூறு ஐந்நூறு அறுநூறு எழுநூறு எண்ணூறு தொள்ளாயிரம்'),
  hundredsBefore: split('நூற்று இருநூற்று முந்நூற்று நானூற்று ஐந்நூற்று அறுநூற்று எழுநூற்று எண்ணூற்று தொள்ளாயிரத்து'),
}

function tamilBelow(number: number): string {
  const [ten, unit] = [Math.floor(number / 10), number % 10]
  if (ten === 1 && unit > 0) return tamil.teens[unit] ?? ''
  if (unit === 0) return tamil.tens[ten] ?? ''
  return [ten > 0 ? tamil.joined[ten] : '', tamil.units[unit]].filter(Boolean).join(' ')
}

/** A count that ends with one, such as 11 and 21, joined to what it counts. */
const ofOnes = (count: string, joined: string) => count.replace(/(?:ு ஒ|ொ)ன்று$/, joined)

const languages: Record<'si' | 'ta', Words> = {
  si: {
    zero: 'ශුන්‍යය',
    below: sinhalaBelow,
    counting: (number) => inWords(languages.si, number, true),
    hundreds: (count, before) => `${count === 1 ? 'එක' : sinhalaBefore.units[count]}${before ? 'සිය' : 'සියය'}`,
    thousands: (count, _one, before) => `${count}${before ? 'දහස්' : 'දහස'}`,
    lakhs: (count, _one, before) => `${count}ලක්ෂ${before ? '' : 'ය'}`,
    crores: (count, _one, before) => `${count}කෝටි${before ? '' : 'ය'}`,
    amount: (rupees) => `රුපියල් ${rupees} පමණි`,
    cents: (rupees, cents) => `රුපියල් ${rupees} සහ ශත ${cents} පමණි`,
  },
  ta: {
    zero: 'பூச்சியம்',
    below: tamilBelow,
    counting: (number) => inWords(languages.ta, number),
    hundreds: (count, before) => (before ? tamil.hundredsBefore : tamil.hundreds)[count] ?? '',
    // The last vowel of the count joins that of the thousand.
    thousands: (count, one, before) => {
      const thousand = before ? 'ஆயிரத்து' : 'ஆயிரம்'
      return one ? thousand : `${ofOnes(count, 'ோர').replace(/ு$/, '')}${thousand.replace('ஆ', 'ா')}`
    },
    lakhs: (count, one, before) => `${one ? 'ஒரு' : ofOnes(count, 'ொரு')} ${before ? 'இலட்சத்து' : 'இலட்சம்'}`,
    crores: (count, one, before) => `${one ? 'ஒரு' : ofOnes(count, 'ொரு')} ${before ? 'கோடியே' : 'கோடி'}`,
    amount: (rupees) => `ரூபாய் ${rupees} மட்டும்`,
    cents: (rupees, cents) => `ரூபாய் ${rupees} மற்றும் சதம் ${cents} மட்டும்`,
  },
}

/** The parts of a number from the largest: how many of which, the last written in full, unless more comes behind it. */
function inWords(words: Words, number: number, before = false): string {
  if (number === 0) return words.zero
  const crores = Math.floor(number / 10_000_000)
  const rest = number % 10_000_000
  const parts: ((before: boolean) => string)[] = []
  const add = (count: number, of: 'thousands' | 'lakhs' | 'crores') => {
    if (count > 0) parts.push((joined) => words[of](words.counting(count), count === 1, joined))
  }
  add(crores, 'crores')
  add(Math.floor(rest / 100_000), 'lakhs')
  add(Math.floor((rest % 100_000) / 1000), 'thousands')
  const [hundreds, last] = [Math.floor((rest % 1000) / 100), rest % 100]
  if (hundreds > 0) parts.push((joined) => words.hundreds(hundreds, joined))
  if (last > 0) parts.push((joined) => words.below(last, joined))
  return parts.map((part, at) => part(before || at < parts.length - 1)).join(' ')
}

/** An amount of cents in the words of a language, as `amountInWords` says it in English. */
export function amountSaidIn(language: string | undefined, cents: number): string {
  if (language !== 'si' && language !== 'ta') return amountInWords(cents)
  const words = languages[language]
  const [rupees, rest] = [inWords(words, Math.floor(cents / 100)), cents % 100]
  return rest > 0 ? words.cents(rupees, inWords(words, rest)) : words.amount(rupees)
}
