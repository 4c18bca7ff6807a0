/** The text key of a state of a list such as `vouchers/voucher-stage`. */
export function statusText(list: string, state: string): string {
  return `${list.replace('/', '.status.')}.${state.replaceAll(/[ &]/g, '-')}`
}
