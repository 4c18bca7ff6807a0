/** The scripts that write files out of others, in their order; with `--check` each tells what does not fit. */
export const generators = ['api/platform/models/generate.ts', 'workers/generate.ts', 'api/platform/http/generate.ts']
