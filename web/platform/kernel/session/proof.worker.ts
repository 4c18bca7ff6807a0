import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { handler } from 'altcha-lib/workers/shared'

/** Solves the challenges that proof.ts hands it, as the library has it. */
handler({ deriveKey })
