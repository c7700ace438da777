import { Component, type ReactNode } from 'react';

interface Props {
  /** What stands in the place of what failed. */
  instead: ReactNode;
  /** Which of several it stands for: in the place of another one it tries again. */
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
