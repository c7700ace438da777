import { Button, Group, Text } from '@mantine/core';
import type { Archive } from '@wayquest/contracts';
import { useEffect } from 'react';
import { formatTime } from '../../../shared/lib/moments.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { Failure, FormError } from '../../../shared/ui/Message.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import { useTranslations } from '../translations.ts';

const pollIntervalMs = 2_000;

/** Lets the browser download a file: to disk, however large, and continued after an interruption. */
const download = (url: string): void =>
  Object.assign(document.createElement('a'), { href: url, download: '' }).click();

function ArchiveStatus({ archive: { state, until = '' } }: { archive: Archive }) {
  const t = useTranslations();
  if (state === 'preparing') return t('dataPreparing');
  if (state === 'ready') return t('dataReady', { until: formatTime(until) });
  return state === 'failed' ? t('dataFailed') : null;
}

/** Requests and downloads the data archive. */
export function MyData() {
  const t = useTranslations();
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const { data: archive, error, refetch, replace } = useResource('getArchive', {});
  const making = useMutation('makeArchive');
  const downloading = useMutation('makeArchiveAddress');
  const state = archive?.state;
  const polling = useMutation('getArchive');
  const poll = () => polling.send({}, replace);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response decides whether to poll again
  useEffect(() => {
    if (state !== 'preparing') return;
    const timer = setTimeout(poll, pollIntervalMs);
    return () => clearTimeout(timer);
  }, [archive]);
  return (
    <Section titleId="data-title" title={t('dataTitle')}>
      <Text mb={16}>{t('dataLead')}</Text>
      {error && <Failure onRetry={refetch}>{error}</Failure>}
      {polling.error && <Failure onRetry={poll}>{polling.error}</Failure>}
      <div {...focusFallback}>
        <Text role="status" fw={600} mih="1.55em">
          {archive && <ArchiveStatus archive={archive} />}
        </Text>
        <Group gap={8} my={8}>
          {state === 'ready' && (
            <Button
              loading={downloading.state === 'loading'}
              onClick={() => downloading.send({}, ({ url }) => download(url))}
            >
              {t('dataDownload')}
            </Button>
          )}
          <Button
            variant="default"
            disabled={!archive}
            loading={state === 'preparing'}
            onClick={() => making.send({}, replace)}
          >
            {t(state === 'ready' ? 'dataAgain' : 'dataGet')}
          </Button>
        </Group>
        <FormError>{making.error ?? downloading.error}</FormError>
      </div>
    </Section>
  );
}
