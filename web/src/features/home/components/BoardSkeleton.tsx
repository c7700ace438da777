import { Skeleton } from '@mantine/core';
import { Pending } from '../../../shared/ui/Pending.tsx';
import classes from './Board.module.css';
import latestClasses from './FriendsLatest.module.css';

const three = [1, 2, 3];

/** Placeholder of a panel's rows. */
export function RowsSkeleton() {
  return (
    <Pending className={classes.rows}>
      {three.map((row) => (
        <Skeleton key={row} height={64} radius="md" />
      ))}
    </Pending>
  );
}

/** Placeholder of three challenges side by side. */
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

/** Placeholder of a visitor's board, with its map. */
export const VisitorSkeleton = () => (
  <>
    <TilesSkeleton />
    <div className={classes.map} />
  </>
);

/** The room of a title and of three completions. */
const FriendsRoom = () => (
  <div className={latestClasses.latest}>
    <Skeleton className={latestClasses.title ?? ''} width={180} />
    <div className={latestClasses.list}>
      {three.map((item) => (
        <Skeleton key={item} height={132} radius="lg" />
      ))}
    </div>
  </div>
);

/** Placeholder of the latest completions of friends. */
export const FriendsSkeleton = () => (
  <Pending>
    <FriendsRoom />
  </Pending>
);

/** Placeholder of a member's board. */
export function BoardSkeleton() {
  return (
    <Pending className={classes.board}>
      <div className={classes.head}>
        <Skeleton height={36} width="min(280px, 60%)" />
      </div>
      <div className={classes.panels}>
        <Skeleton radius="lg" className={classes.room ?? ''} />
        <Skeleton radius="lg" className={classes.room ?? ''} />
      </div>
      <FriendsRoom />
    </Pending>
  );
}
