import type { Library } from 'virtual:libraries';
import classes from './LibraryTable.module.css';

/** Libraries with what each is for; on a phone every row becomes a card. */
export function LibraryTable({ title, libraries }: { title: string; libraries: Library[] }) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Version</th>
            <th scope="col">Licence</th>
            <th scope="col">What for</th>
          </tr>
        </thead>
        <tbody>
          {libraries.map(({ name, version, licence, purpose, usedBy }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className={classes.version}>{version}</td>
              <td>{licence}</td>
              <td>
                {purpose} <span className={classes.usedBy}>Used by {usedBy.join(', ')}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
