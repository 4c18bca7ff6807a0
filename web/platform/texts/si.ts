/** Every area's Sinhala words in one chunk. */
const files = import.meta.glob<Record<string, string>>('../../../forms/*/texts.si.json', {
  eager: true,
  import: 'default',
})
export default Object.assign({}, ...Object.values(files)) as Record<string, string>
