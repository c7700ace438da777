import { Component, type ReactNode } from 'react';
import { Failure } from '../../shared/ui/Message.tsx';
import { Page } from '../../shared/ui/Page.tsx';

/** Catches what a page could not: a bug, or a part of the app that did not arrive. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Page width="medium">
        <Failure onRetry={() => location.reload()}>This page did not open as it should.</Failure>
      </Page>
    );
  }
}
