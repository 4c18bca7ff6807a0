import { fetchAhead } from './platform/edge/router/ahead.ts'
import { matchScreen } from './platform/kernel/screens/screens.ts'
import './platform/kernel/theme/fonts.css'
import './platform/kernel/theme/page.css'

const path = window.location.pathname
const match = matchScreen(path)
if (match?.screen.guard === 'public') fetchAhead(match, path)

// Not awaited: the app imports from this module, so awaiting it here would deadlock.
void import('./app.tsx').then(({ start }) => start())
