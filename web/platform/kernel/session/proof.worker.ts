import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { handler } from 'altcha-lib/workers/shared'

/** Solves the challenges of proof.ts with the library's algorithm. */
handler({ deriveKey })
