import { Component, type ReactNode } from 'react';

interface Props {
  /** What stands in the place of what failed. */
  instead: ReactNode;
  children: ReactNode;
}

/** Catches what a part of the page could not: a bug, or code that did not arrive. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}
