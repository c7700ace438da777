import { Failure } from '../../shared/ui/Message.tsx';
import { Page } from '../../shared/ui/Page.tsx';
import { useWords } from './words.ts';

/** Stands where a page would be that did not open. */
export function PageFailure() {
  const t = useWords();
  return (
    <Page width="medium">
      <Failure onRetry={() => location.reload()}>{t('pageFailed')}</Failure>
    </Page>
  );
}
