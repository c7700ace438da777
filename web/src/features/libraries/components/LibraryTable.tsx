import type { Library } from 'virtual:libraries';
import { Fragment } from 'react';
import { useTranslations } from '../translations.ts';
import classes from './LibraryTable.module.css';

/** Libraries with what each is for; on a phone every row becomes a card. */
export function LibraryTable({ title, libraries }: { title: string; libraries: Library[] }) {
  const t = useTranslations();
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            <th scope="col">{t('version')}</th>
            <th scope="col">{t('license')}</th>
            <th scope="col">{t('purpose')}</th>
          </tr>
        </thead>
        <tbody>
          {libraries.map(({ name, version, licence, purpose, usedBy }) => (
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
              <td className={classes.version}>{version}</td>
              <td>{licence}</td>
              <td>
                {purpose} <span className={classes.usedBy}>{t('usedBy', { parts: usedBy.join(', ') })}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
