import { Failure } from '../../shared/ui/Message.tsx';
import { Page } from '../../shared/ui/Page.tsx';

/** Stands where a page would be that did not open. */
export function PageFailure() {
  return (
    <Page width="medium">
      <Failure onRetry={() => location.reload()}>This page did not open as it should.</Failure>
    </Page>
  );
}
