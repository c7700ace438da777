import {
  Birds,
  Bush,
  Cypress,
  Flag,
  Flower,
  Gable,
  Lamp,
  Oak,
  Panes,
  Path,
  Pine,
  Sailboat,
  Transform,
  type Variation,
  Water,
} from '../parts.tsx';

export function bridge({ form }: Variation) {
  const kind = form(3);
  return (
    <>
      <Water y={146} />
      {kind === 0 && (
        <>
          <path
            d="M-20 64Q60 150 84 34Q160 176 236 34Q260 150 340 64M-300 64Q-240 176-180 34Q-100 150-20 64M340 64Q420 176 500 34Q560 150 620 100"
            fill="none"
            stroke="var(--accent)"
            strokeWidth="4"
          />
          <path
            d="M106 72v46m18-26v26m18-14v14m18-10v10m18-14v14m18-26v26m18-46v46M62 78v40m-20-18v18M258 78v40m20-18v18"
            stroke="var(--accent)"
            strokeWidth="2.5"
          />
          <path fill="var(--roof)" d="M76 176V30h16v146zM228 176V30h16v146z" />
          <path fill="var(--dark)" d="M70 26h28v8H70zM222 26h28v8h-28z" />
          <path fill="var(--roof)" d="M-300 116h920v13h-920z" />
          <path d="M-300 122h920" stroke="var(--light)" strokeWidth="2.5" opacity="0.7" />
          <Sailboat x={164} y={184} s={0.62} />
        </>
      )}
      {kind === 1 && (
        <>
          <path
            fill="var(--wall)"
            fillRule="evenodd"
            d="M-300 104h920v72h-26c-4-34-26-48-50-48s-46 14-50 48h-18c-4-34-26-48-50-48s-46 14-50 48h-20-32c-4-34-26-48-50-48s-46 14-50 48h-28c-4-34-26-48-50-48s-46 14-50 48h-28c-4-34-26-48-50-48s-46 14-50 48h-28c-4-34-26-48-50-48s-46 14-50 48h-50z"
          />
          <path fill="var(--shade)" d="M-300 96h920v13h-920z" />
          <Lamp x={62} y={97} s={0.75} />
          <Lamp x={160} y={97} s={0.75} />
          <Lamp x={258} y={97} s={0.75} />
        </>
      )}
      {kind === 2 && (
        <>
          <Pine x={24} y={152} s={0.7} />
          <Oak x={296} y={152} s={0.7} />
          <path d="M54 160Q160 50 266 160" fill="none" stroke="var(--brick)" strokeWidth="17" />
          <path
            d="M54 132Q160 20 266 132M58 152v-24m28-4V98m28 0V74m30 4V62m32 16V62m30 36V74m28 50V98m28 54v-24"
            fill="none"
            stroke="var(--dark)"
            strokeWidth="4.5"
            strokeLinecap="round"
          />
          <path fill="var(--ground)" d="M-300 146H60c8 8 8 16 0 22H-300zM620 146H260c-8 8-8 16 0 22h360z" />
          <path
            d="M96 182c20-14 108-14 128 0"
            fill="none"
            stroke="var(--brick)"
            strokeWidth="6"
            strokeLinecap="round"
            opacity="0.4"
          />
        </>
      )}
    </>
  );
}

export function street({ form, pick }: Variation) {
  const kind = form(3);
  const walls = ['var(--wall)', 'var(--light)', 'var(--rose)', 'var(--shade)', 'var(--accent)'];
  const wall = (n: number) => walls[(n + pick([0, 1, 2, 3, 4], 9)) % walls.length] ?? '';
  const house = (n: number) => {
    const x = -292 + n * 58;
    const h = [62, 84, 54, 76, 68, 90, 58][(n + kind) % 7] ?? 60;
    return (
      <g key={n}>
        {(n + kind) % 3 === 1 ? (
          <>
            <path fill={wall(n)} d={`M${x} 164v${-h}h58v${h}z`} />
            <path fill="var(--roof)" d={`M${x - 2} ${164 - h}v-9h62v9z`} />
          </>
        ) : (
          <Gable x={x} y={164} w={58} h={h - 14} wall={wall(n)} />
        )}
        <Panes x={x + 11} y={172 - h + 6} count={2} gap={24} w={12} h={15} />
        {h > 70 && <Panes x={x + 11} y={172 - h + 30} count={2} gap={24} w={12} h={15} />}
        <path fill="var(--dark)" d={`M${x + (n % 2 ? 11 : 33)} 164v-24h14v24z`} />
      </g>
    );
  };
  return (
    <>
      {Array.from({ length: 16 }, (_, n) => house(n))}
      <path fill="var(--stone)" d="M-300 162h920v12h-920z" />
      <path fill="var(--dark)" opacity="0.75" d="M-300 172h920v32h-920z" />
      <path d="M-290 188h920" stroke="var(--path)" strokeWidth="3.5" strokeDasharray="24 24" />
      {kind === 0 && (
        <>
          <Lamp x={92} y={170} s={1.15} />
          <Lamp x={238} y={170} s={1.15} />
        </>
      )}
      {kind === 1 && (
        <>
          <Lamp x={60} y={170} s={1.1} />
          <Transform x={170} y={190} s={1.15}>
            <g fill="none" stroke="var(--light)" strokeWidth="4" strokeLinecap="round">
              <circle cx="-24" cy="-14" r="14" />
              <circle cx="26" cy="-14" r="14" />
              <path d="M-24-14l14-22h22l14 22M-10-36L2-14h-26M2-14l12-22m-2-6h8m-34 2h12" />
            </g>
          </Transform>
        </>
      )}
      {kind === 2 && (
        <>
          <Oak x={88} y={168} s={0.75} />
          <Oak x={262} y={168} s={0.75} />
          <Transform x={172} y={194} s={1.15}>
            <path fill="var(--glow)" d="M-44-10c0-12 6-14 14-14l10-14h32l12 14c12 0 20 2 20 14z" />
            <path fill="var(--pane)" d="M-24-24l6-9h12v9zm22 0v-9H9l7 9z" />
            <circle cx="-24" cy="-9" r="9" fill="var(--dark)" />
            <circle cx="24" cy="-9" r="9" fill="var(--dark)" />
            <circle cx="-24" cy="-9" r="3.5" fill="var(--light)" />
            <circle cx="24" cy="-9" r="3.5" fill="var(--light)" />
          </Transform>
        </>
      )}
    </>
  );
}

export function house({ form }: Variation) {
  const kind = form(3);
  return (
    <>
      {kind === 0 && (
        <>
          <Oak x={262} y={160} s={1.1} />
          <path fill="var(--dark)" d="M188 62h18v40h-18z" />
          <path
            d="M198 52c-6-8 8-12 2-22 8 2 10-8 6-14"
            fill="none"
            stroke="var(--cloud)"
            strokeWidth="6"
            strokeLinecap="round"
          />
          <Gable x={96} y={164} w={120} h={58} />
          <path fill="var(--dark)" d="M146 164v-38a12 12 0 0 1 24 0v38z" />
          <Panes x={108} y={122} count={2} gap={74} w={22} h={24} />
          <circle cx="158" cy="84" r="10" fill="var(--pane)" />
          <path d="M119 122v24M193 122v24m-85-12h22m52 0h22" stroke="var(--light)" strokeWidth="3" />
          <Path d="M158 206c10-18-6-22 0-40" />
          <Flower x={106} y={176} s={0.75} />
          <Flower x={124} y={178} s={0.7} color="var(--accent)" />
          <Flower x={196} y={177} s={0.75} />
          <Flower x={214} y={176} s={0.7} color="var(--accent)" />
        </>
      )}
      {kind === 1 && (
        <>
          <Cypress x={58} y={160} s={0.95} />
          <Cypress x={270} y={160} s={0.75} />
          <path fill="var(--wall)" d="M96 164V72h128v92z" />
          <path fill="var(--roof)" d="M84 76l22-30h108l22 30z" />
          <path fill="var(--shade)" d="M96 114h128v7H96z" />
          <Panes x={112} y={86} count={4} gap={27} w={15} h={20} />
          <Panes x={110} y={130} count={2} gap={80} w={20} h={22} />
          <path fill="var(--light)" d="M140 164v-40h40v40z" />
          <path fill="var(--dark)" d="M149 164v-32h22v32z" />
          <path fill="var(--dark)" d="M132 126l28-16 28 16z" />
          <Path d="M160 206v-40" width={18} />
          <Bush x={112} y={168} s={0.75} />
          <Bush x={208} y={168} s={0.75} />
        </>
      )}
      {kind === 2 && (
        <>
          <Pine x={62} y={166} s={1.15} />
          <Pine x={266} y={162} s={0.95} />
          <Pine x={292} y={166} s={0.7} />
          <path fill="var(--roof)" d="M78 164L160 40l82 124z" />
          <path fill="var(--wall)" d="M100 164l60-92 60 92z" />
          <path fill="var(--pane)" d="M132 116l28-42 28 42zM128 124h20v20h-20zm44 0h20v20h-20z" />
          <path fill="var(--dark)" d="M152 124h16v40h-16z" />
          <path d="M88 166h144" stroke="var(--trunk)" strokeWidth="8" strokeLinecap="round" />
          <Path d="M120 206c6-22 38-16 40-34" />
        </>
      )}
    </>
  );
}

export function monument({ form }: Variation) {
  const kind = form(3);
  return (
    <>
      {kind === 0 && (
        <>
          <Cypress x={46} y={158} s={0.75} />
          <Cypress x={274} y={158} s={0.75} />
          <path fill="var(--path)" d="M20 200c10-30 60-42 140-42s130 12 140 42z" />
          <path
            d="M160 78c-16-34-44-22-50 20m50-20c16-34 44-22 50 20m-50-20c-6-30-24-36-34-22m34 22c6-30 24-36 34-22"
            fill="none"
            stroke="var(--water)"
            strokeWidth="5"
            strokeLinecap="round"
          />
          <path fill="var(--shade)" d="M152 84h16v78h-16z" />
          <path fill="var(--stone)" d="M120 104h80c-4 16-20 20-40 20s-36-4-40-20z" />
          <path fill="var(--stone)" d="M76 156h168v10c-10 14-30 18-84 18s-74-4-84-18z" />
          <ellipse cx="160" cy="157" rx="84" ry="11" fill="var(--water)" />
          <ellipse cx="160" cy="105" rx="40" ry="6" fill="var(--water)" />
          <path fill="var(--shade)" d="M154 80h12v26h-12z" />
          <path
            d="M104 158h24m20 4h30m12-6h26"
            stroke="var(--ripple)"
            strokeWidth="3"
            strokeLinecap="round"
          />
        </>
      )}
      {kind === 1 && (
        <>
          <Oak x={56} y={160} s={0.95} />
          <Oak x={268} y={160} s={0.85} />
          <path fill="var(--path)" d="M30 200c10-24 60-34 130-34s120 10 130 34z" />
          <path fill="var(--stone)" d="M112 174h96v10h-96zM124 130h72v46h-72z" />
          <path fill="var(--shade)" d="M160 130h36v46h-36z" />
          <path fill="var(--dark)" d="M118 124h84v8h-84z" />
          <path fill="var(--glow)" d="M140 144h40v14h-40z" />
          <Transform x={160} y={124} s={1.25}>
            <path
              fill="var(--roof)"
              d="M-20 0v-16l5-8v-10c4-8 22-8 28-2l10-14 7-2-6 24-8 10v2l6 16h-8L6-14-6-12-10 0z"
            />
            <path
              fill="var(--roof)"
              d="M22-48l10-8 10 10-2 5-10-1-4 4zM-18-30c-10 4-12 12-10 20l5-1c-1-8 2-10 6-12z"
            />
            <circle cx="2" cy="-62" r="7" fill="var(--dark)" />
            <path fill="var(--dark)" d="M-6-32l2-18c2-6 12-6 13 0l2 18z" />
            <path d="M8-48l16-16" stroke="var(--dark)" strokeWidth="4.5" strokeLinecap="round" />
          </Transform>
          <Flower x={104} y={190} s={0.7} />
          <Flower x={214} y={190} s={0.7} />
        </>
      )}
      {kind === 2 && (
        <>
          <Cypress x={36} y={160} s={0.7} />
          <Cypress x={286} y={160} s={0.7} />
          <path fill="var(--path)" d="M60 204c20-22 60-36 100-36s80 14 100 36z" />
          <path fill="var(--wall)" d="M86 170V62h148v108h-44v-48a30 30 0 0 0-60 0v48z" />
          <path fill="var(--shade)" d="M78 50h164v16H78zM86 96h148v7H86zM80 164h56v10H80zm104 0h56v10h-56z" />
          <path fill="var(--roof)" d="M92 34h136v18H92z" />
          <path d="M108 80h104" stroke="var(--roof)" strokeWidth="5" strokeLinecap="round" />
          <circle cx="108" cy="126" r="9" fill="var(--shade)" />
          <circle cx="212" cy="126" r="9" fill="var(--shade)" />
        </>
      )}
      <Birds x={kind === 1 ? 222 : 70} y={60} s={0.75} />
    </>
  );
}

export function church({ form }: Variation) {
  const kind = form(3);
  const cross = (x: number, y: number) => (
    <path d={`M${x} ${y}v-20m-7 7h14`} stroke="var(--dark)" strokeWidth="4.5" strokeLinecap="round" />
  );
  return (
    <>
      {kind === 0 && (
        <>
          <Oak x={270} y={160} s={0.95} />
          <Gable x={130} y={164} w={106} h={44} />
          <path fill="var(--wall)" d="M88 164V80h44v84z" />
          <path fill="var(--shade)" d="M110 164V80h22v84z" />
          <path fill="var(--roof)" d="M82 82l28-58 28 58z" />
          {cross(110, 28)}
          <path
            fill="var(--pane)"
            d="M103 108v-8a7 7 0 0 1 14 0v8zM152 150v-16a8 8 0 0 1 16 0v16zm34 0v-16a8 8 0 0 1 16 0v16z"
          />
          <circle cx="183" cy="104" r="8" fill="var(--pane)" />
          <path fill="var(--dark)" d="M98 164v-22a12 12 0 0 1 24 0v22z" />
          <Path d="M60 206c20-24 46-16 50-40" />
          <Cypress x={48} y={162} s={0.7} />
        </>
      )}
      {kind === 1 && (
        <>
          <Cypress x={40} y={160} s={0.85} />
          <Cypress x={282} y={160} s={0.85} />
          <path fill="var(--wall)" d="M92 164V66h36v98zm100 0V66h36v98z" />
          <path fill="var(--roof)" d="M86 68l24-44 24 44zm100 0l24-44 24 44z" />
          {cross(110, 28)}
          {cross(210, 28)}
          <Gable x={128} y={164} w={64} h={62} wall="var(--shade)" />
          <circle cx="160" cy="104" r="15" fill="var(--light)" />
          <circle cx="160" cy="104" r="11" fill="var(--pane)" />
          <path d="M160 93v22m-11-11h22m-19-8l16 16m0-16l-16 16" stroke="var(--light)" strokeWidth="2.5" />
          <path
            fill="var(--pane)"
            d="M104 100v-10a6 6 0 0 1 12 0v10zm100 0v-10a6 6 0 0 1 12 0v10zM104 142v-16a6 6 0 0 1 12 0v16zm100 0v-16a6 6 0 0 1 12 0v16z"
          />
          <path fill="var(--dark)" d="M144 164v-24a16 16 0 0 1 32 0v24z" />
          <Path d="M160 206v-38" width={22} />
        </>
      )}
      {kind === 2 && (
        <>
          <Oak x={54} y={160} s={0.9} />
          <path fill="var(--wall)" d="M104 164v-54h112v54z" />
          <path fill="var(--shade)" d="M84 164v-38h28v38zm124 0v-38h28v38z" />
          <path
            fill="var(--roof)"
            d="M80 128c2-12 10-18 18-18s16 6 18 18zM204 128c2-12 10-18 18-18s16 6 18 18z"
          />
          <path fill="var(--shade)" d="M126 112V92h68v20z" />
          <path fill="var(--accent)" d="M122 94c0-30 20-34 38-54 18 20 38 24 38 54z" />
          <path fill="var(--light)" opacity="0.3" d="M122 94c0-30 20-34 38-54-16 20-20 34-20 54z" />
          {cross(160, 42)}
          <path
            fill="var(--pane)"
            d="M134 108V98h8v10zm14 0V98h8v10zm14 0V98h8v10zm14 0V98h8v10zM118 150v-16a7 7 0 0 1 14 0v16zm70 0v-16a7 7 0 0 1 14 0v16z"
          />
          <path fill="var(--dark)" d="M146 164v-24a14 14 0 0 1 28 0v24z" />
          <Path d="M160 206v-38" width={20} />
          <Bush x={262} y={166} />
        </>
      )}
    </>
  );
}

export function temple({ form }: Variation) {
  const kind = form(3);
  const roof = (y: number, half: number) =>
    `M${160 - half - 14} ${y - 8}c16 4 26-4 ${half * 0.45}-20h${(half + 14) * 2 - half * 0.9}c${half * 0.45 - 26} 16 ${half * 0.45 - 16} 24 ${half * 0.45} 20l-10 12h${-(half * 2 + 8)}z`;
  if (kind === 1)
    return (
      <>
        <Pine x={52} y={162} s={0.9} />
        <Pine x={276} y={162} s={0.75} />
        <path fill="var(--path)" d="M128 204l18-38h28l18 38z" />
        <path fill="var(--brick)" d="M96 172V64h14v108zm114 0V64h14v108zM82 84h156v11H82z" />
        <path fill="var(--brick)" d="M150 62h20v26h-20z" />
        <path fill="var(--roof)" d="M62 44c30 10 166 10 196 0l-8 20c-40 4-140 4-180 0z" />
        <path fill="var(--dark)" d="M92 166h22v10H92zm114 0h22v10h-22z" />
        <path fill="var(--glow)" d="M122 98h16v20h-16zm60 0h16v20h-16z" />
        <path d="M130 94v4m60-4v4m-60 20v5m60-5v5" stroke="var(--dark)" strokeWidth="3" />
      </>
    );
  if (kind === 2)
    return (
      <>
        <Oak x={48} y={162} s={0.9} />
        <Oak x={278} y={162} s={0.8} />
        <path fill="var(--stone)" d="M84 158h152v8H84zm-10 8h172v8H74z" />
        <path fill="var(--brick)" d="M100 158v-42h120v42z" />
        <path fill="var(--roof)" d="M62 108c24 6 34-6 54-38h88c20 32 30 44 54 38l-10 14H72z" />
        <path fill="var(--accent)" d="M112 64h96v8h-96z" />
        <path
          fill="var(--accent)"
          d="M106 66c-4-4-4-10 2-12 0 6 4 8 8 8v6zm108 0c4-4 4-10-2-12 0 6-4 8-8 8v6z"
        />
        <path d="M112 158v-34m96 34v-34" stroke="var(--light)" strokeWidth="5" />
        <path fill="var(--dark)" d="M140 158v-30h40v30z" />
        <path d="M160 128v30" stroke="var(--glow)" strokeWidth="2.5" />
        <circle cx="126" cy="136" r="8" fill="var(--glow)" />
        <circle cx="194" cy="136" r="8" fill="var(--glow)" />
        <Path d="M160 206v-32" width={24} />
      </>
    );
  return (
    <>
      <Pine x={62} y={162} s={0.85} />
      <Oak x={264} y={162} s={0.95} />
      <path d="M160 40V12" stroke="var(--dark)" strokeWidth="4" strokeLinecap="round" />
      <circle cx="160" cy="14" r="5" fill="var(--glow)" />
      <path fill="var(--wall)" d="M140 64V48h40v16zM132 102V80h56v22zM124 164v-44h72v44z" />
      <path
        fill="var(--pane)"
        d="M148 62V52h6v10zm18 0V52h6v10zM142 100V86h8v14zm14 0V86h8v14zm14 0V86h8v14z"
      />
      <path fill="var(--roof)" d={roof(54, 28)} />
      <path fill="var(--roof)" d={roof(92, 40)} />
      <path fill="var(--roof)" d={roof(132, 54)} />
      <path fill="var(--dark)" d="M148 164v-22a12 12 0 0 1 24 0v22z" />
      <path fill="var(--stone)" d="M108 162h104v9H108z" />
      <Path d="M120 206c0-20 38-14 40-34" />
    </>
  );
}

export function castle({ form }: Variation) {
  const kind = form(3);
  const crown = (x: number, y: number, teeth: number) =>
    `M${x} ${y}v-14${Array.from({ length: teeth }, (_, n) => (n ? 'h7v7h8v-7' : 'h8v7h7v-7')).join('')}h8v14z`;
  const wide = (teeth: number) => 15 * teeth + 8;
  const tower = (x: number, y: number, teeth: number, wall = 'var(--wall)') => (
    <>
      <path fill={wall} d={`M${x + 3} 168V${y}h${wide(teeth) - 6}v${168 - y}z`} />
      <path fill={wall} d={crown(x, y + 8, teeth)} />
    </>
  );
  return (
    <>
      {kind === 0 && (
        <>
          <path fill="var(--near)" d="M30 204c20-36 70-44 130-44s120 8 140 44z" />
          {tower(134, 66, 3, 'var(--shade)')}
          <path fill="var(--shade)" d="M106 168v-56h110v56z" />
          {tower(84, 92, 2)}
          {tower(198, 92, 2)}
          <Flag x={160} y={66} s={0.7} />
          <path fill="var(--dark)" d="M144 168v-28a16 16 0 0 1 32 0v28z" />
          <path
            fill="var(--pane)"
            d="M99 118v-8a4 4 0 0 1 8 0v8zm114 0v-8a4 4 0 0 1 8 0v8zM156 98v-10a4 4 0 0 1 8 0v10z"
          />
          <Path d="M120 208c0-20 40-16 40-38" />
        </>
      )}
      {kind === 1 && (
        <>
          <Pine x={40} y={166} s={0.8} />
          <Pine x={286} y={166} s={0.8} />
          <path fill="var(--wall)" d="M100 168V96h28v72zm92 0V96h28v72zM144 168V72h32v96z" />
          <path fill="var(--shade)" d="M120 168v-48h80v48z" />
          <path fill="var(--roof)" d="M94 98l20-46 20 46zm92 0l20-46 20 46zM138 74l22-52 22 52z" />
          <Flag x={160} y={26} s={0.32} />
          <path
            fill="var(--pane)"
            d="M110 116v-8a4 4 0 0 1 8 0v8zm92 0v-8a4 4 0 0 1 8 0v8zM155 100V90a5 5 0 0 1 10 0v10z"
          />
          <path fill="var(--dark)" d="M146 168v-22a14 14 0 0 1 28 0v22z" />
          <Path d="M190 208c0-20-30-16-30-38" />
        </>
      )}
      {kind === 2 && (
        <>
          <path
            d="M-80 150C-10 150 0 116 60 124s60-44 110-34 60 40 110 20 60-20 120-10"
            fill="none"
            stroke="var(--shade)"
            strokeWidth="26"
          />
          <path
            d="M-80 138C-10 138 0 104 60 112s60-44 110-34 60 40 110 20 60-20 120-10"
            fill="none"
            stroke="var(--wall)"
            strokeWidth="5"
          />
          <Transform x={54} y={134} s={0.75}>
            <path fill="var(--wall)" d="M-26 0v-56h52V0z" />
            <path fill="var(--roof)" d="M-36-52l12-20h48l12 20z" />
            <path fill="var(--dark)" d="M-8-20v-10a8 8 0 0 1 16 0v10z" />
          </Transform>
          <Transform x={176} y={118} s={1.15}>
            <path fill="var(--wall)" d="M-26 6v-58h52V6z" />
            <path fill="var(--shade)" d="M0 6v-58h26V6z" />
            <path fill="var(--roof)" d="M-38-50l14-22h48l14 22z" />
            <path
              fill="var(--dark)"
              d="M-16-24v-8a6 6 0 0 1 12 0v8zm20 0v-8a6 6 0 0 1 12 0v8zM-8 6v-10a8 8 0 0 1 16 0V6z"
            />
          </Transform>
          <path fill="var(--ground)" d="M-300 166c120-40 300-6 380-20s150-44 240-30 200 30 300 20v70h-920z" />
          <Pine x={100} y={176} s={0.7} />
          <Pine x={250} y={172} s={0.85} />
          <Pine x={274} y={180} s={0.6} />
        </>
      )}
    </>
  );
}

export function school({ form }: Variation) {
  const kind = form(2);
  return (
    <>
      <Oak x={40} y={162} s={0.85} />
      <Oak x={286} y={162} s={0.7} />
      <path fill="var(--wall)" d="M70 164v-56h180v56z" />
      <path fill="var(--roof)" d="M62 110l8-16h180l8 16z" />
      {kind === 0 ? (
        <>
          <path fill="var(--shade)" d="M132 164V76h56v88z" />
          <path fill="var(--roof)" d="M124 80l36-30 36 30z" />
          <circle cx="160" cy="98" r="13" fill="var(--light)" />
          <path d="M160 90v8l6 4" fill="none" stroke="var(--dark)" strokeWidth="3" strokeLinecap="round" />
          <Flag x={160} y={52} s={0.6} />
        </>
      ) : (
        <>
          <path fill="var(--shade)" d="M132 164V96h56v68z" />
          <path fill="var(--roof)" d="M124 98l36-20 36 20z" />
          <path fill="var(--light)" d="M146 80V52h28v28z" />
          <path fill="var(--roof)" d="M140 54l20-20 20 20z" />
          <path fill="var(--glow)" d="M151 72c2-4 2-14 9-14s7 10 9 14z" />
          <circle cx="160" cy="74" r="3" fill="var(--dark)" />
          <circle cx="160" cy="110" r="9" fill="var(--pane)" />
        </>
      )}
      <path fill="var(--dark)" d="M148 164v-34h24v34z" />
      <Panes x={80} y={122} count={2} gap={26} w={16} h={22} />
      <Panes x={198} y={122} count={2} gap={26} w={16} h={22} />
      <Path d="M160 206v-40" width={20} />
      {kind === 0 && <Bush x={96} y={172} s={0.7} />}
      <Bush x={224} y={172} s={0.7} />
    </>
  );
}

export function station({ form }: Variation) {
  const kind = form(3);
  const track = (
    <>
      <path d="M-300 192h920" stroke="var(--trunk)" strokeWidth="13" strokeDasharray="6 14" />
      <path d="M-300 188h920M-300 196h920" stroke="var(--stone)" strokeWidth="3.5" />
    </>
  );
  if (kind === 1)
    return (
      <>
        {track}
        <Pine x={300} y={168} s={0.8} />
        <Transform x={150} y={186} s={1.15}>
          <path fill="var(--roof)" d="M-66-14v-60h50v60z" />
          <path fill="var(--dark)" d="M-72-80h62v8h-62z" />
          <path fill="var(--pane)" d="M-56-62h14v18h-14zm20 0h14v18h-14z" />
          <path fill="var(--accent)" d="M-18-14v-34h66a14 14 0 0 1 14 14v20z" />
          <path
            fill="var(--dark)"
            d="M34-48v-22h-4v-8h22v8h-4v22zM2-48a9 9 0 0 1 18 0zM-70-16H68v8H-70zM62-10l14 10H60z"
          />
          <g fill="var(--dark)">
            <circle cx="-46" cy="-8" r="12" />
            <circle cx="-12" cy="-8" r="12" />
            <circle cx="22" cy="-8" r="12" />
            <circle cx="50" cy="-6" r="9" />
          </g>
          <g fill="var(--light)">
            <circle cx="-46" cy="-8" r="4.5" />
            <circle cx="-12" cy="-8" r="4.5" />
            <circle cx="22" cy="-8" r="4.5" />
            <circle cx="66" cy="-32" r="5" />
          </g>
          <path
            fill="var(--cloud)"
            d="M30-82c-14-2-12-18 2-18 0-12 18-14 22-4 10-10 30 0 22 12 10 4 2 14-8 10-6 8-30 8-38 0z"
          />
        </Transform>
      </>
    );
  if (kind === 2)
    return (
      <>
        <path fill="var(--wall)" d="M56 168V92h208v76z" />
        <path fill="var(--shade)" d="M110 168V84a50 50 0 0 1 100 0v84z" />
        <path fill="var(--pane)" d="M122 128V86a38 38 0 0 1 76 0v42z" />
        <path d="M141 128V52m19 76V46m19 82V52m-57 48h76" stroke="var(--shade)" strokeWidth="4" />
        <circle cx="160" cy="72" r="16" fill="var(--light)" />
        <path d="M160 62v10l7 5" fill="none" stroke="var(--dark)" strokeWidth="3.5" strokeLinecap="round" />
        <path fill="var(--roof)" d="M48 84h66v10H48zm158 0h66v10h-66z" />
        <Panes x={66} y={106} count={2} gap={22} w={12} h={28} />
        <Panes x={222} y={106} count={2} gap={22} w={12} h={28} />
        <path fill="var(--dark)" d="M126 168v-30h20v30zm48 0v-30h20v30zm-24 0v-30h20v30z" />
        <path fill="var(--stone)" d="M-300 166h920v9h-920z" />
        <Lamp x={40} y={172} />
        <Lamp x={284} y={172} />
        {track}
      </>
    );
  return (
    <>
      <Oak x={294} y={158} s={0.7} />
      {track}
      <path fill="var(--stone)" d="M-300 170h920v10h-920z" opacity="0.9" />
      <Transform x={160} y={184} s={1}>
        <path fill="var(--light)" d="M-184-84H44c30 0 56 24 64 66 1 8-4 12-12 12H-184z" />
        <path fill="var(--accent)" d="M-184-34H102c3 6 5 12 6 18 1 8-4 10-12 10H-184z" />
        <path
          fill="var(--pane)"
          d="M-176-72h32v26h-32zm42 0h32v26h-32zm42 0h32v26h-32zm42 0h32v26h-32zm42 0h32v26H-8zm44 0h8c16 2 28 12 34 26H36z"
        />
        <path fill="var(--dark)" d="M-184-6H96l-8 8h-272z" />
        <circle cx="94" cy="-22" r="5" fill="var(--glow)" />
      </Transform>
      <Transform x={262} y={176} s={1.05}>
        <path d="M0 0v-64" stroke="var(--dark)" strokeWidth="4.5" />
        <circle cy="-78" r="17" fill="var(--light)" />
        <circle cy="-78" r="17" fill="none" stroke="var(--dark)" strokeWidth="4" />
        <path d="M0-88v10l7 5" fill="none" stroke="var(--dark)" strokeWidth="3" strokeLinecap="round" />
      </Transform>
    </>
  );
}
