import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import { useTranslations } from '../translations.ts';

/** Says after a login that it canceled the account's deletion. */
export function useKept(): void {
  const t = useTranslations();
  const dispatch = useDispatch();
  const isKept = useLocation().hash === '#kept';
  useEffect(() => {
    if (isKept) dispatch(noticed({ text: t('accountKept'), tone: 'good' }));
  }, [isKept, dispatch, t]);
}
