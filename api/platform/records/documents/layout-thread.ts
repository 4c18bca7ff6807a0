import { parentPort, workerData } from 'node:worker_threads'
import { documentLayout, layOut } from './render.ts'

// The thread that lays out one long paper for `layOutAside`.

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `layOutAside` alone starts it
const { page, made } = workerData as { page: object; made: Date }
parentPort?.postMessage(layOut(documentLayout(), page, made))
