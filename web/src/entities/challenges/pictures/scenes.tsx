import type { Scene } from '@wayquest/contracts';
import type { JSX } from 'react';

const trees = (
  <g fill="var(--tree)">
    <path d="M40 152c-20-5-27-30-18-50 6-16 13-23 18-37 5 14 12 21 18 37 9 20 2 45-18 50z" />
    <path d="M284 156c-16-4-22-25-15-41 6-13 11-19 15-30 4 11 9 17 15 30 7 16 1 37-15 41z" />
  </g>
);

const park = (
  <>
    <path
      fill="var(--tree)"
      d="M96 148c-26-6-34-38-23-63 8-20 17-29 23-47 6 18 15 27 23 47 11 25 3 57-23 63z"
    />
    {trees}
    <path
      d="M140 200c24-22 80-8 94-34"
      fill="none"
      stroke="var(--path)"
      strokeWidth="13"
      strokeLinecap="round"
    />
    <path
      d="M152 150h52m-46 0v14m40-14v14m-46-28h52"
      stroke="var(--dark)"
      strokeWidth="5"
      strokeLinecap="round"
    />
  </>
);

const museum = (
  <>
    {trees}
    <path fill="var(--wall)" d="M84 92h152v66H84z" />
    <path fill="var(--dark)" d="M74 92l86-42 86 42z" />
    <circle cx="160" cy="76" r="8" fill="var(--light)" />
    <path stroke="var(--light)" strokeWidth="11" d="M102 100v52m38-52v52m40-52v52m38-52v52" />
    <path fill="var(--dark)" d="M72 156h176v9H72z" />
  </>
);

const cinema = (
  <>
    <path fill="var(--wall)" d="M78 74h164v90H78z" />
    <path fill="var(--dark)" d="M66 92h188v26H66z" />
    <g fill="var(--glow)">
      {[80, 102, 124, 146, 168, 190, 212, 236].map((x) => (
        <circle key={x} cx={x} cy="105" r="5" />
      ))}
    </g>
    <path fill="var(--dark)" d="M146 40h28v52h-28z" />
    <path fill="var(--glow)" d="M160 48l4 8 9 1-7 6 2 9-8-4-8 4 2-9-7-6 9-1z" />
    <path fill="var(--light)" d="M94 128h30v24H94zm102 0h30v24h-30z" />
    <path fill="var(--dark)" d="M140 128h40v36h-40z" />
  </>
);

const attraction = (
  <>
    {trees}
    <g fill="none" stroke="var(--dark)" strokeWidth="5">
      <circle cx="166" cy="92" r="54" />
      <path d="M112 92h108M166 38v108M128 54l76 76m0-76l-76 76" strokeWidth="3" />
      <path d="M166 92l-34 76m34-76l34 76" strokeLinecap="round" strokeWidth="7" />
    </g>
    <g fill="var(--glow)">
      <circle cx="166" cy="38" r="9" />
      <circle cx="204" cy="54" r="9" />
      <circle cx="220" cy="92" r="9" />
      <circle cx="204" cy="130" r="9" />
      <circle cx="128" cy="130" r="9" />
      <circle cx="112" cy="92" r="9" />
      <circle cx="128" cy="54" r="9" />
    </g>
  </>
);

const club = (
  <>
    <path fill="var(--dark)" d="M70 66h180v98H70z" />
    <path fill="var(--glow)" opacity="0.35" d="M160 76l-70 88h40zm0 0l70 88h-40z" />
    <circle cx="160" cy="84" r="22" fill="var(--light)" />
    <path
      d="M160 44v18M140 78h40m-40 12h40m-26-26c-6 14-6 26 0 40m12-40c6 14 6 26 0 40"
      fill="none"
      stroke="var(--wall)"
      strokeWidth="3"
    />
    <path d="M92 92v34m0-34l18-6v32" fill="none" stroke="var(--glow)" strokeWidth="5" strokeLinecap="round" />
    <g fill="var(--glow)">
      <ellipse cx="86" cy="127" rx="8" ry="6" />
      <ellipse cx="104" cy="119" rx="8" ry="6" />
      <circle cx="216" cy="92" r="5" />
      <circle cx="232" cy="116" r="4" />
    </g>
  </>
);

const library = (
  <>
    {trees}
    <path fill="var(--wall)" d="M76 70h168v94H76z" />
    <path fill="var(--dark)" d="M70 62h180v12H70zm76 68h28v34h-28z" />
    <path fill="var(--light)" d="M90 86h40v36H90zm100 0h40v36h-40z" />
    <path stroke="var(--dark)" strokeWidth="7" d="M97 122v-28m9 28v-22m9 22V94m83 28V98m10 24V92m10 30v-20" />
    <path
      fill="var(--light)"
      d="M160 104c-8-7-18-8-28-6V82c10-2 20-1 28 6 8-7 18-8 28-6v16c-10-2-20-1-28 6z"
    />
  </>
);

const restaurant = (
  <>
    <path fill="var(--wall)" d="M82 66h156v98H82z" />
    <path fill="var(--dark)" d="M74 66h172v16H74z" />
    <path
      fill="var(--glow)"
      d="M74 82h28v14a14 14 0 0 1-28 0zm57 0h29v14a14 14 0 0 1-29 0zm58 0h28v14a14 14 0 0 1-28 0z"
    />
    <path
      fill="var(--light)"
      d="M102 82h29v14a14 14 0 0 1-29 0zm58 0h29v14a14 14 0 0 1-29 0zm57 0h29v14a14 14 0 0 1-29 0zM98 122h76v42H98z"
    />
    <path fill="var(--dark)" d="M190 120h34v44h-34z" />
    <path
      d="M124 156v-20m-5-8v8h10v-8m22 28v-12c-6-4-6-14 0-18z"
      fill="none"
      stroke="var(--dark)"
      strokeWidth="3.5"
      strokeLinecap="round"
    />
  </>
);

/** The foreground of each kind of place, on a canvas of 320 by 200 with its ground at 150. */
export const scenes: Record<Scene, JSX.Element> = {
  park,
  museum,
  cinema,
  attraction,
  club,
  library,
  restaurant,
};
