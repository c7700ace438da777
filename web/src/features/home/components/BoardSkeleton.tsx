import { Skeleton } from '@mantine/core';
import { Pending } from '../../../shared/ui/Pending.tsx';
import classes from './Board.module.css';

const three = [1, 2, 3];

/** As much room as a panel's rows take. */
export function RowsSkeleton() {
  return (
    <Pending className={classes.rows}>
      {three.map((row) => (
        <Skeleton key={row} height={64} radius="md" />
      ))}
    </Pending>
  );
}

/** As much room as three challenges side by side take. */
export function TilesSkeleton() {
  return (
    <Pending>
      <div className={classes.tiles}>
        {three.map((tile) => (
          <Skeleton key={tile} radius="lg" />
        ))}
      </div>
      <p className={classes.more} />
    </Pending>
  );
}

/** As much room as what a visitor finds takes, with its map. */
export const VisitorSkeleton = () => (
  <>
    <TilesSkeleton />
    <div className={classes.map} />
  </>
);

/** As much room as what a member finds takes. */
export function BoardSkeleton() {
  return (
    <Pending className={classes.board}>
      <div className={classes.head}>
        <Skeleton height={36} width="min(280px, 60%)" />
      </div>
      <div className={classes.panels}>
        {three.map((panel) => (
          <Skeleton key={panel} radius="lg" className={classes.room ?? ''} />
        ))}
      </div>
    </Pending>
  );
}
