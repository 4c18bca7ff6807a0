/** Cents as text: 1250000 gives `Rs. 12,500.00`. */
export function rupees(cents: number): string {
  const amount = (Math.abs(cents) / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return `${cents < 0 ? '−' : ''}Rs. ${amount}`
}
