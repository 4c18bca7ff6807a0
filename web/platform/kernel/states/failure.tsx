import { Component, type ReactNode } from 'react'
import { Trouble } from './trouble.tsx'

/** An error boundary: the shell stays usable. A changed `at` renders the page again. */
export class Failure extends Component<{ at: string; children: ReactNode }, { error: unknown; at: string }> {
  override state: { error: unknown; at: string } = { error: undefined, at: this.props.at }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  static getDerivedStateFromProps(props: { at: string }, state: { error: unknown; at: string }) {
    return props.at === state.at ? null : { error: undefined, at: props.at }
  }

  override render() {
    // A chunk that is gone after an update needs a reload.
    return this.state.error ? (
      <Trouble error={this.state.error} onRetry={() => window.location.reload()} />
    ) : (
      this.props.children
    )
  }
}
