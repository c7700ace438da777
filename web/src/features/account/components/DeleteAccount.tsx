import { Button, Text } from '@mantine/core';
import { useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Section } from '../../../shared/ui/Section.tsx';
import { deletionSubmitted, selectAccount, selectDeletion } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './Account.module.css';
import { OwnerDialog } from './OwnerDialog.tsx';

/** Requests the deletion of the account, which can be canceled for some days. */
export function DeleteAccount({ username }: { username: string }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const dialog = useRef<HTMLDialogElement>(null);
  const status = useSelector(selectDeletion);
  const { deletionGraceDays: count = 0 } = useSelector(selectAccount) ?? {};
  return (
    <Section titleId="delete-title" title={t('deleteTitle')}>
      <Text mb={16}>{t('deleteLead', { count })}</Text>
      <Button variant="default" mb={8} onClick={() => dialog.current?.showModal()}>
        {t('deleteAccount')}
      </Button>
      <OwnerDialog
        ref={dialog}
        title={t('deleteSure')}
        confirmLabel={t('deleteAccount')}
        cancelLabel={t('keepAccount')}
        username={username}
        status={status}
        onConfirm={(claim) => dispatch(deletionSubmitted(claim))}
      >
        <ul className={classes.means}>
          <li>{t('deleteGoes')}</li>
          <li>{t('deleteStays')}</li>
          <li>{t('deleteUndo', { count })}</li>
        </ul>
      </OwnerDialog>
    </Section>
  );
}
