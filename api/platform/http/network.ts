import { isIPv6 } from 'node:net'

/**
 * What a caller is counted by: the address, or of IPv6 its first 64 bits, because whoever has one such address has all
 * that begin alike.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const [head, tail = []] = plain.split('::').map((side) => side.split(':').filter((group) => group !== ''))
  const between = Array<string>(Math.max(0, 8 - head!.length - tail.length)).fill('0')
  const groups = [...head!, ...between, ...tail].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
