/** The English words that only pages behind the sign-in show, of every area in one chunk. */
const files = import.meta.glob<Record<string, string>>('../../../forms/*/texts.staff.en.json', {
  eager: true,
  import: 'default',
})
export default Object.assign({}, ...Object.values(files)) as Record<string, string>
