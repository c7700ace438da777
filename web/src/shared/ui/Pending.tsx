import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCommonTranslations } from '../i18n/common.ts';

/** Placeholders for loading content, with a text for screen readers. */
export function Pending({ children, className }: { children: ReactNode; className?: string }) {
  const t = useCommonTranslations();
  return (
    <div aria-busy="true" className={className}>
      <VisuallyHidden>{t('loading')}</VisuallyHidden>
      {children}
    </div>
  );
}
