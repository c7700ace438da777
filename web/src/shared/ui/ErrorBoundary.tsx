import { Component, type ReactNode } from 'react';

interface Props {
  /** Shown instead of what failed. */
  instead: ReactNode;
  /** Identifies its content: it tries again when this changes. */
  at?: string;
  children: ReactNode;
}

/** Catches what a part of the page could not: a bug, or code that did not arrive. */
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
