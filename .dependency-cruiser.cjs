/**
 * Which modules may import which. One rule per sentence of ARCHITECTURE.md. Cycles of folders are found by
 * `tests/platform/check/architecture.ts`.
 */
const area = '^(?:api|workers|web|forms|processes|tests|bench)/(?!platform/)([^/]+)/'

/** The layers of a platform folder, lowest first: none imports from one above it, types included. */
const layersOf = {
  'api/platform': ['kernel', 'model', 'records', 'people', 'http', 'work', 'features', 'edge'],
  'web/platform': ['kernel', 'people', 'work', 'features', 'edge'],
}

const layered = Object.entries(layersOf).flatMap(([folder, layers]) => [
  ...layers.slice(0, -1).map((layer, at) => ({
    name: `${layer}-imports-nothing-above-it`,
    severity: 'error',
    from: { path: `^${folder}/${layer}/` },
    to: { path: `^${folder}/(?:${layers.slice(at + 1).join('|')})/` },
  })),
  {
    name: 'platform-is-made-of-layers',
    severity: 'error',
    from: { path: `^${folder}/`, pathNot: `^${folder}/(?:${layers.join('|')})/` },
    to: {},
  },
  {
    name: 'features-never-import-each-other',
    comment: 'What two of them need belongs to a layer below.',
    severity: 'error',
    from: { path: `^${folder}/features/([^/]+)/` },
    to: { path: `^${folder}/features/`, pathNot: `^${folder}/features/$1/` },
  },
])

module.exports = {
  forbidden: [
    ...layered,
    {
      name: 'areas-never-import-each-other',
      comment: 'Areas meet in BPMN, or what they share is promoted to platform.',
      severity: 'error',
      from: { path: area, pathNot: '^bench/' },
      to: {
        path: '^(?:api|workers|web|forms|tests|processes)/[^/]+/',
        pathNot: '^(?:api|workers|web|forms|tests|processes)/(?:platform|$1)/',
      },
    },
    {
      name: 'platform-knows-no-area',
      severity: 'error',
      from: { path: '^(?:api|workers|web|forms)/platform/' },
      to: { path: area },
    },
    {
      name: 'api-imports-neither-workers-nor-web',
      severity: 'error',
      from: { path: '^api/' },
      to: { path: '^(?:workers|web)/' },
    },
    {
      name: 'nothing-imports-workers-or-web',
      comment: 'Their composition roots and tests apart.',
      severity: 'error',
      from: { pathNot: '^(?:workers|web|tests|bench)/' },
      to: { path: '^(?:workers|web)/' },
    },
    {
      name: 'web-takes-only-wire-types-from-generated-files',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(?:api|workers|engine)/' },
    },
    {
      name: 'forms-import-nothing',
      comment: 'They are data, read by browser, API and worker alike.',
      severity: 'error',
      from: { path: '^forms/' },
      to: { pathNot: '^forms/' },
    },
    {
      name: 'only-repositories-speak-sql-to-the-routes',
      comment: 'Routes translate HTTP and decide nothing.',
      severity: 'error',
      from: { path: '^api/platform/.*routes\\.ts$' },
      to: { path: '(?:repository\\.ts|/work/rows/.*)$' },
    },
    { name: 'all-resolves', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '\\?|^virtual:' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(node_modules|web/dist|engine/target)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
