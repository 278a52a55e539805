import { Row, Specimen } from './specimen.tsx';

const SIZES = ['text-3xl', 'text-2xl', 'text-xl', 'text-lg', 'text-base', 'text-sm', 'text-xs'];
const COLOURS = [
  ['bg-surface', 'surface'],
  ['bg-ink', 'ink'],
  ['bg-night', 'night'],
  ['bg-night-raised', 'night raised'],
  ['bg-primary', 'primary'],
  ['bg-primary-deep', 'primary deep'],
  ['bg-primary-soft', 'primary soft'],
  ['bg-paper', 'paper'],
  ['bg-paper-deep', 'paper deep'],
  ['bg-amber-bright', 'amber bright'],
  ['bg-amber-soft', 'amber soft'],
  ['bg-danger', 'danger'],
  ['bg-danger-soft', 'danger soft'],
];
const INDUSTRIES = ['Healthcare', 'Finance', 'Legal', 'Manufacturing', 'Automotive'];

export function ThemeParts() {
  return (
    <>
      <Specimen name="Type">
        {SIZES.map((size) => (
          <p key={size} className={`${size} font-semibold tracking-tight text-ink`}>
            $1,389.00 for people who can’t stop
          </p>
        ))}
      </Specimen>
      <Specimen name="Colour">
        <Row>
          {COLOURS.map(([background, name]) => (
            <div key={name} className="text-xs">
              <div className={`size-14 rounded-control border border-line ${background}`} />
              {name}
            </div>
          ))}
        </Row>
        <div className="on-night flex flex-wrap gap-6 rounded-card p-6">
          {INDUSTRIES.map((industry) => (
            <p key={industry} data-industry={industry} className="text-sm text-(--industry)">
              {industry}
            </p>
          ))}
        </div>
      </Specimen>
    </>
  );
}
