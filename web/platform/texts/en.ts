/** The English words of every area that somebody may see who has not signed in, in one chunk. */
const files = import.meta.glob<Record<string, string>>('../../../forms/*/texts.en.json', {
  eager: true,
  import: 'default',
})
export default Object.assign({}, ...Object.values(files)) as Record<string, string>
