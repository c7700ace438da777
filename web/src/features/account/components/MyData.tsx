import { Button, Group, Text } from '@mantine/core';
import type { Archive } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { formatTime } from '../../../shared/lib/days.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { Failure, FormError } from '../../../shared/ui/Message.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { useHashScroll } from '../../../shared/ui/scroll-position.ts';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import { useTranslations } from '../translations.ts';

const pollIntervalMs = 2_000;

/** Downloads a file. */
function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

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
  const [archive, setArchive] = useState<Archive | null>(null);
  const polling = useMutation();
  const changing = useMutation();
  const poll = () => polling.mutate((client) => client.getArchive(), setArchive);
  const state = archive?.state;
  useHashScroll(archive !== null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response decides whether to poll again
  useEffect(() => {
    if (archive && state !== 'preparing') return;
    const timer = setTimeout(poll, archive ? pollIntervalMs : 0);
    return () => clearTimeout(timer);
  }, [archive]);
  const requestArchive = () => changing.mutate((client) => client.makeArchive(), setArchive);
  const download = () =>
    changing.mutate(
      (client) => client.downloadArchive(),
      (file) => saveFile(file, 'wayquest.zip'),
    );
  return (
    <Section titleId="data-title" title={t('dataTitle')}>
      <Text mb={16}>{t('dataLead')}</Text>
      {polling.error && <Failure onRetry={poll}>{polling.error}</Failure>}
      <div {...focusFallback}>
        <Text role="status" fw={600} mih="1.55em">
          {archive && <ArchiveStatus archive={archive} />}
        </Text>
        <Group gap={8} my={8}>
          {state === 'ready' && (
            <Button loading={changing.state === 'loading'} onClick={download}>
              {t('dataDownload')}
            </Button>
          )}
          <Button
            variant="default"
            disabled={!archive}
            loading={state === 'preparing'}
            onClick={requestArchive}
          >
            {t(state === 'ready' ? 'dataAgain' : 'dataGet')}
          </Button>
        </Group>
        <FormError>{changing.error}</FormError>
      </div>
    </Section>
  );
}
