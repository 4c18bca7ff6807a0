/** `Rs. 12,500.00` for 1250000 cents. */
export function rupees(cents: number): string {
  const amount = (Math.abs(cents) / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return `${cents < 0 ? '−' : ''}Rs. ${amount}`
}
