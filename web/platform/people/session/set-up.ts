const place = 'prakriya.set-up'

/** The account that this tab has just created and that has no password yet: a reload continues with it. */
export function rememberSetUp(username: string | undefined): void {
  if (username === undefined) sessionStorage.removeItem(place)
  else sessionStorage.setItem(place, username)
}

export const setUpAccount = (): string | undefined => sessionStorage.getItem(place) ?? undefined
