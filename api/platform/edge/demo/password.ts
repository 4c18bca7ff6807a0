/** The password of every demo account. It is no secret: demo data is loaded only where the setting asks for it. */
export const DEMO_PASSWORD = 'Prakriya2026'
