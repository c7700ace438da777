import { Link } from 'react-router-dom';
import { Logo } from '../../shared/ui/Logo.tsx';
import classes from './Footer.module.css';

export function Footer() {
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <Logo size={24} />
        <p>
          Wayquest, made by people who like to walk. Pictures drawn by us, under the MIT licence like all the
          rest.
        </p>
        <Link to="/libraries">Libraries we build on</Link>
      </div>
    </footer>
  );
}
