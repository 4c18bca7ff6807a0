import { useLocation } from 'wouter'
import type { PageProps } from '../../kernel/screens/page.ts'
import { TaskView } from './task-view.tsx'

/** One task on a page of its own: the target of mailed links. */
export default function TaskPage({ params }: PageProps) {
  const [, navigate] = useLocation()
  return <TaskView id={params['id'] ?? ''} onDone={(own) => navigate(own ?? '/inbox')} back="/inbox" page />
}
