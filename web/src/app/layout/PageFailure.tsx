import { Link } from 'react-router-dom';
import { useCommonTranslations } from '../../shared/i18n/common.ts';
import { Failure } from '../../shared/ui/Message.tsx';
import { Page, PageTitle } from '../../shared/ui/Page.tsx';
import { useTranslations } from './translations.ts';

interface Props {
  /** The reason, if known. */
  children?: string | null;
  onRetry?: () => void;
}

/** Shown instead of a page that could not be loaded. */
export function PageFailure({ children, onRetry = () => location.reload() }: Props) {
  const t = useTranslations();
  const common = useCommonTranslations();
  const isOffline = document.documentElement.hasAttribute('data-offline');
  return (
    <Page width="medium">
      <PageTitle mb={24}>{t(isOffline ? 'notLoaded' : 'pageFailed')}</PageTitle>
      <Failure onRetry={onRetry} action={<Link to="/home">{t('toHome')}</Link>}>
        {children ?? common(isOffline ? 'outOfReach' : 'broken')}
      </Failure>
    </Page>
  );
}
