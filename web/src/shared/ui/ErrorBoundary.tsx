import { Component, type ReactNode } from 'react';

interface Props {
  /** The fallback. */
  fallback: ReactNode;
  /** Identifies the content: it is rendered again when this changes. */
  resetKey?: string;
  children: ReactNode;
}

/** Shows a fallback for a part of the page that failed, by a bug or by code that could not be loaded. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate({ resetKey }: Props) {
    if (this.state.failed && resetKey !== this.props.resetKey) this.setState({ failed: false });
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
