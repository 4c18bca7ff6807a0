import { isIPv6 } from 'node:net'

/**
 * The network that a caller is counted by: the IPv4 address, or the first 64 bits of an IPv6 address, because one
 * subscriber has all addresses with that prefix.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const [head = [], tail = []] = plain.split('::').map((side) => side.split(':').filter((group) => group !== ''))
  const between = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  const groups = [...head, ...between, ...tail].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
