// A button that deletes an FMU, after a second click.
import { message_of } from "../api/api";
import { delete_fmu } from "../api/fmu_api";
import { ConfirmedButton } from "../parts/confirmed_button";

export function DeleteFmu(props: {
  fmu: { sha256: string; file_name: string; model_name: string };
  on_deleted: () => void;
  on_refused: (reason: string) => void;
}) {
  const name = props.fmu.file_name || props.fmu.model_name;
  async function remove() {
    try {
      await delete_fmu(props.fmu.sha256);
      props.on_deleted();
    } catch (failure) {
      props.on_refused(`${name} was not deleted. ${message_of(failure)}`);
    }
  }
  return <ConfirmedButton what={name} on_sure={remove} />;
}
