import { parentPort, workerData } from 'node:worker_threads'
import { type LaidOut, layOut } from './render.ts'

// The thread that lays out one long paper for `layOutAside`.

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `layOutAside` alone starts it
const { source, page, made, pictures } = workerData as LaidOut
parentPort?.postMessage(layOut(source, page, made, pictures))
