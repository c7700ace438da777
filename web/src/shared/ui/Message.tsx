import { Button, Text } from '@mantine/core';
import { IconCloudOff, IconMapPin } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useCommonTranslations } from '../i18n/common.ts';
import { useErrorSentence } from '../lib/errors.ts';
import classes from './Message.module.css';

/** Shown for an empty list, with what to do next. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={classes.message}>
      <IconMapPin className={classes.icon} size={36} stroke={1.5} aria-hidden />
      <Text>{children}</Text>
      {action}
    </div>
  );
}

interface FailureProps {
  children: ReactNode;
  onRetry?: () => void;
  /** Another action than retrying. */
  action?: ReactNode;
}

/** Shown instead of something that could not be loaded. */
export function Failure({ children, onRetry, action }: FailureProps) {
  const t = useCommonTranslations();
  const text = useErrorSentence(children);
  return (
    <div className={classes.message} role="alert">
      <IconCloudOff className={classes.icon} size={36} stroke={1.5} aria-hidden />
      <Text>{text}</Text>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
      {action}
    </div>
  );
}

/** Why a form was rejected, below it. */
export function FormError({ children }: { children: string | null }) {
  const text = useErrorSentence(children);
  return (
    <Text role="alert" className={classes.error ?? ''} c="var(--mantine-color-error)" size="sm" fw={600}>
      {text}
    </Text>
  );
}
