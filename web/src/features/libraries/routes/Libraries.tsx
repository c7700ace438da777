import libraries, { type Library } from 'virtual:libraries';
import { Text } from '@mantine/core';
import { Fragment } from 'react';
import { catalogue } from '../../../shared/i18n/catalogue.ts';
import english from '../../../shared/i18n/en/libraries.ts';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import libraryTableClasses from '../components/LibraryTable.module.css';

const { useTranslations } = catalogue('libraries', english);

/** Libraries with what each is for; on a phone every row becomes a card. */
function LibraryTable({ title, libraries }: { title: string; libraries: Library[] }) {
  const t = useTranslations();
  return (
    <section className={libraryTableClasses.section}>
      <h2>{title}</h2>
      <table className={libraryTableClasses.table}>
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            <th scope="col">{t('version')}</th>
            <th scope="col">{t('license')}</th>
            <th scope="col">{t('purpose')}</th>
          </tr>
        </thead>
        <tbody>
          {libraries.map(({ name, version, license, purpose, usedBy }) => (
            <tr key={name}>
              <th scope="row">
                {name.split('/').map((part, place) => (
                  <Fragment key={part}>
                    {place > 0 && (
                      <>
                        /<wbr />
                      </>
                    )}
                    {part}
                  </Fragment>
                ))}
              </th>
              <td className={libraryTableClasses.version}>{version}</td>
              <td>{license}</td>
              <td>
                {purpose}{' '}
                <span className={libraryTableClasses.usedBy}>
                  {t('usedBy', { parts: usedBy.join(', ') })}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export default function Libraries() {
  const t = useTranslations();
  return (
    <Page>
      <PageTitle>{t('title')}</PageTitle>
      <Text c="dimmed" size="lg" mt={8} mb={32} maw={640}>
        {t('lead')}
      </Text>
      <Text maw={640}>{t('mapData')}</Text>
      <ul className={libraryTableClasses.sources}>
        <li>
          <a href="https://www.geonames.org">GeoNames</a>
          {t('places')}
        </li>
        <li>
          <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a>
          {t('tiles')}
        </li>
        <li>{t('coasts')}</li>
      </ul>
      <LibraryTable title={t('running')} libraries={libraries.filter(({ runtime }) => runtime)} />
      <LibraryTable title={t('building')} libraries={libraries.filter(({ runtime }) => !runtime)} />
    </Page>
  );
}
