/** Characters of Code 39 in the order of their patterns; `*` begins and ends a bar code. */
const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. *'
/** Per character nine elements, bar and space in turn; 1 is a wide one. */
const PATTERNS =
  '000110100 100100001 001100001 101100000 000110001 100110000 001110000 000100101 100100100 001100100 ' +
  '100001001 001001001 101001000 000011001 100011000 001011000 000001101 100001100 001001100 000011100 ' +
  '100000011 001000011 101000010 000010011 100010010 001010010 000000111 100000110 001000110 000010110 ' +
  '110000001 011000001 111000000 010010001 110010000 011010000 010000101 110000100 011000100 010010100'
const WIDE = 3
const patterns = PATTERNS.split(' ')

/** The elements of a Code 39 bar code in modules: bar, space, bar … Throws for text that it cannot express. */
export function barsOf(text: string): number[] {
  return `*${text.toUpperCase()}*`.split('').flatMap((character, at) => {
    const pattern = patterns[CHARACTERS.indexOf(character)]
    if (pattern === undefined) throw new Error(`Code 39 has no pattern for ${character}`)
    return [...(at === 0 ? [] : [1]), ...pattern.split('').map((element) => (element === '1' ? WIDE : 1))]
  })
}
