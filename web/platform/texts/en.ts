/** Every area's English words in one chunk. */
const files = import.meta.glob<Record<string, string>>('../../../forms/*/texts.en.json', {
  eager: true,
  import: 'default',
})
export default Object.assign({}, ...Object.values(files)) as Record<string, string>
