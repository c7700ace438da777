import { Component, type ReactNode } from 'react';

interface Props {
  /** The fallback. */
  instead: ReactNode;
  /** Identifies the content: it is rendered again when this changes. */
  at?: string;
  children: ReactNode;
}

/** Shows a fallback for a part of the page that failed, by a bug or by code that could not be loaded. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate({ at }: Props) {
    if (this.state.failed && at !== this.props.at) this.setState({ failed: false });
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}
