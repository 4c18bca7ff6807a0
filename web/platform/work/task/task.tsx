import { useLocation } from 'wouter'
import type { PageProps } from '../../kernel/screens/page.ts'
import { TaskView } from './task-view.tsx'

/** One task on a page of its own: where a link in a mail leads. */
export default function TaskPage({ params }: PageProps) {
  const [, navigate] = useLocation()
  return <TaskView id={params['id'] ?? ''} onDone={(own) => navigate(own ?? '/inbox')} back="/inbox" page />
}
