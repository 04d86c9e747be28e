import { type JSX } from "preact";
import { Checkbox, ChoiceField, TextField } from "../design/field.tsx";
import { useApplication } from "../state/application.ts";
import { changeSetting, type SettingDescription, SETTINGS } from "../state/settings.ts";

/** One field per setting, drawn from their table. */
export function SettingsForm(): JSX.Element {
  return (
    <div class="column settings-form">
      {SETTINGS.map((description) => (
        <SettingField key={description.name} description={description} />
      ))}
    </div>
  );
}

function SettingField({ description }: { readonly description: SettingDescription }): JSX.Element {
  const { settings } = useApplication();
  const { name, label, about, choices, minimum, maximum } = description;
  const value = settings.value[name];
  const change = (next: unknown): void => {
    settings.value = changeSetting(settings.value, name, next) ?? settings.value;
  };
  if (choices !== undefined) {
    return (
      <ChoiceField
        label={label}
        value={String(value)}
        choices={choices.map((choice) => [choice, choice] as const)}
        onChange={change}
      />
    );
  }
  if (typeof value === "boolean") {
    return <Checkbox label={label} hint={about} isChecked={value} onChange={change} />;
  }
  return (
    <TextField
      label={label}
      type="number"
      value={String(value)}
      hint={`${about} ${minimum} to ${maximum}.`}
      minimum={minimum}
      maximum={maximum}
      onChange={(text) => change(Number(text))}
    />
  );
}
