/** The password of every demo account. It is public: demo data is loaded only if the setting asks for it. */
export const DEMO_PASSWORD = 'Prakriya2026'
