import { useState } from 'react';
import * as z from 'zod/mini';
import { QueryScope } from '../src/platform/browser/query-client.ts';
import { singleLine } from '../src/platform/fields.ts';
import { CallForm } from '../src/ui/call-form.tsx';
import {
  Checkbox,
  Field,
  HoneypotField,
  RadioCards,
  Select,
  Slider,
  Textarea,
  TextInput,
} from '../src/ui/fields.tsx';
import { ProgressBar } from '../src/ui/progress-bar.tsx';
import { SearchBox } from '../src/ui/search-box.tsx';
import { Specimen } from './specimen.tsx';

const OPTIONS = [
  { value: 'none', label: 'No Microsoft 365' },
  { value: 'standard', label: 'Microsoft 365 Business Standard', aside: '$12.50 per user' },
  { value: 'detail', label: 'With a detail', detail: 'in a second line', aside: '$22.00 per user' },
] as const;

export function FormParts() {
  const [words, setWords] = useState('');
  const [option, setOption] = useState<(typeof OPTIONS)[number]['value']>('standard');
  return (
    <>
      <Specimen name="Fields">
        <div className="relative grid gap-6 sm:grid-cols-2">
          <Field label="Empty">
            <TextInput />
          </Field>
          <Field label="Filled" hint="With a hint" optional>
            <TextInput defaultValue="Dana Whitfield" />
          </Field>
          <Field label="Wrong" error="Please enter a valid email address">
            <TextInput defaultValue="dana@" />
          </Field>
          <Field label="Disabled">
            <TextInput disabled />
          </Field>
          <Field label="Choice">
            <Select>
              <option>VoIP Services</option>
              <option>Internet Services</option>
            </Select>
          </Field>
          <Field label="Message">
            <Textarea rows={4} />
          </Field>
          <HoneypotField />
        </div>
      </Specimen>
      <Specimen name="Form of a call">
        <QueryScope>
          <CallForm
            label="Example"
            schema={z.object({
              name: singleLine({
                min: 2,
                max: 100,
                tooShort: 'Name must be at least 2 characters',
              }),
            })}
            read={(field) => ({ name: field('name') })}
            save={() => Promise.reject(new Error())}
            failed="It can’t be sent at the moment."
            button="Send"
            inDialog={false}
          >
            {(line) => line('Name', 'name')}
          </CallForm>
        </QueryScope>
      </Specimen>
      <Specimen name="Search box">
        <SearchBox placeholder="Name, email, message or number" value={words} onChange={setWords} />
      </Specimen>
      <Specimen name="Slider">
        <Slider aria-label="A number" min={1} max={250} defaultValue={20} className="w-full" />
      </Specimen>
      <Specimen name="Progress bar">
        <p className="tabular-nums">Question 7 of 20</p>
        <ProgressBar value={7} max={20} />
      </Specimen>
      <Specimen name="Checkbox">
        <Checkbox label="Off" />
        <Checkbox label="On" detail="with a detail" defaultChecked />
        <Checkbox label="Disabled" disabled />
      </Specimen>
      <Specimen name="Radio cards">
        <RadioCards
          legend="One of few"
          name="option"
          defaultValue={option}
          options={OPTIONS}
          onChange={setOption}
        />
      </Specimen>
    </>
  );
}
