import { type Language, languages } from '../../../../api/platform/model/library/library.ts'
import { descendants, parseXml } from '../../../../api/platform/model/bpmn/xml.ts'
import { type Product, type Rule, inArea, jsonOf } from './product.ts'
import { type Words, hasText, openWords, publicWords, staffKeysOf, usedWords } from './used-words.ts'

const textsAreOfTheirArea: Rule = (product) =>
  product.files('forms/*/texts.*.json').flatMap((file) =>
    Object.entries(jsonOf<Record<string, string>>(product, file)).flatMap(([key, text]) => {
      const area = file.split('/')[1]!
      const known = placeholders(product.library.texts.en[key] ?? '')
      return [
        ...(key.startsWith(`${area}.`) ? [] : [`${file}: ${key} does not begin with ${area}.: rename it`]),
        ...placeholders(text)
          .filter((name) => !known.includes(name))
          .map((name) => `${file}: ${key} has {{${name}}}, which English has not: take it out, or add it there`),
      ]
    }),
  )

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]!)
}

const englishIsComplete: Rule = (product) => missing(product, 'en', usedWords(product))

const publicWordsAreInEveryLanguage: Rule = (product) => {
  const words = publicWords(product.root, product.library)
  return languages.filter((language) => language !== 'en').flatMap((language) => missing(product, language, words))
}

function missing({ library, files }: Product, language: Language, words: Words): string[] {
  return [...words]
    .filter(([word]) => !hasText(library, language, word))
    .map(([word, where]) => {
      const shown = language === 'en' ? '' : ', before anybody signs in'
      const open = inArea(word, `texts.${language}.json`)
      const staff = inArea(word, `texts.staff.${language}.json`)
      const file = language === 'en' && files(open).length === 0 && files(staff).length > 0 ? staff : open
      return `${file}: the text ${word} is missing (used by ${where}${shown}): add it`
    })
}

const openPagesHaveTheirWords: Rule = ({ root, library }) =>
  [...openWords(root, library)].flatMap(([word, where]) =>
    staffKeysOf(root, word).map(
      (key) =>
        `${inArea(key, 'texts.staff.en.json')}: ${key} is shown before anybody signs in (${where}): move it to texts.en.json`,
    ),
  )

const diagramsAndWordsAgree: Rule = ({ library, nodes }) => {
  const called = new Map<string, string | undefined>(
    [...library.flows.values()].flatMap(({ key, area }) =>
      (nodes.get(key) ?? []).map(({ id, element }) => [`${area}.desk.${id}`, element.name] as const),
    ),
  )
  return Object.entries(library.texts.en).flatMap(([key, text]) => {
    if (!/^[\w-]+\.desk\./.test(key) || called.get(key) === text) return []
    const file = inArea(key, 'texts')
    return called.has(key)
      ? [`${file}: ${key} is “${text}”, and the diagram calls it “${called.get(key)}”: write the same`]
      : [`${file}: ${key} names an element that no diagram has: take it out`]
  })
}

const tablesAndWordsAgree: Rule = ({ library }) => {
  const said = new Map<string, string | undefined>()
  for (const { area, dmn } of library.flows.values())
    for (const decision of dmn.flatMap(({ content }) => descendants(parseXml(content)))) {
      if (decision.name !== 'dmn:decision') continue
      const key = `${area}.decision.${decision.attributes.get('id')}`
      said.set(key, decision.attributes.get('name'))
      for (const { name, attributes, children } of descendants(decision)) {
        const part = `${key}.${attributes.get('id')}`
        // Readers see rupees where the table has cents.
        if (name === 'dmn:input' || name === 'dmn:output')
          said.set(part, attributes.get('label')?.replace(/ in cents$/, ''))
        if (name === 'dmn:rule') said.set(part, children.find((child) => child.name === 'dmn:description')?.text.trim())
      }
    }
  // The text key of a table's value is `<column>.<value>`.
  const called = (key: string, text: string) =>
    said.get(key) ?? (said.has(key.replace(/\.[^.]+$/, '')) && key.endsWith(`.${text.replaceAll(' ', '-')}`) && text)
  return Object.entries(library.texts.en)
    .filter(([key, text]) => /^[\w-]+\.decision\./.test(key) && called(key, text) !== text)
    .map(([key, text]) => `${inArea(key, 'texts')}: ${key} is “${text}”, which its table does not say: write the same`)
}

const errorsAreExplained: Rule = ({ library }) =>
  [...library.errors.keys()]
    .filter((code) => !hasText(library, 'en', code))
    .map((code) => `${inArea(code, 'texts.en.json')}: the error ${code} has no text: add it`)

export const wordRules: readonly Rule[] = [
  textsAreOfTheirArea,
  englishIsComplete,
  publicWordsAreInEveryLanguage,
  openPagesHaveTheirWords,
  diagramsAndWordsAgree,
  tablesAndWordsAgree,
  errorsAreExplained,
]
