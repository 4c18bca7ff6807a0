import { Component, type ReactNode } from 'react'
import { Trouble } from './trouble.tsx'

/** Catches what a page throws, so that the shell around it stays usable. A changed `at` gives the page another go. */
export class Failure extends Component<{ at: string; children: ReactNode }, { error: unknown; at: string }> {
  override state: { error: unknown; at: string } = { error: undefined, at: this.props.at }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  static getDerivedStateFromProps(props: { at: string }, state: { error: unknown; at: string }) {
    return props.at === state.at ? null : { error: undefined, at: props.at }
  }

  override render() {
    // A page whose file is gone after an update is found again by loading anew.
    return this.state.error ? (
      <Trouble error={this.state.error} onRetry={() => window.location.reload()} />
    ) : (
      this.props.children
    )
  }
}
