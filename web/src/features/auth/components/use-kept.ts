import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import { useTranslations } from '../translations.ts';

/** Says to somebody who was to be deleted that by logging in they undid it. */
export function useKept(): void {
  const t = useTranslations();
  const dispatch = useDispatch();
  const isKept = useLocation().hash === '#kept';
  useEffect(() => {
    if (isKept) dispatch(noticed({ text: t('accountKept'), tone: 'good' }));
  }, [isKept, dispatch, t]);
}
