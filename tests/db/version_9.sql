-- Four searches of version 8 (with tags, without, cut off, waiting), two traces, a map and an FMU as its upgrade keeps them, and
-- two searches of version 9: one with an answer, one without.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE searches (
  id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
  name TEXT NOT NULL,
  problem TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted')),
  complete INTEGER NOT NULL DEFAULT 0 CHECK (complete IN (0, 1)),
  created_at TEXT NOT NULL CHECK (created_at GLOB '20??-??-??T??:??:??.???Z'),
  started_at TEXT CHECK (started_at GLOB '20??-??-??T??:??:??.???Z'),
  finished_at TEXT CHECK (finished_at GLOB '20??-??-??T??:??:??.???Z'),
  reason TEXT,
  linear_region_rule TEXT NOT NULL,
  curves_done INTEGER NOT NULL DEFAULT 0,
  curves_total INTEGER NOT NULL DEFAULT 0,
  trials_done INTEGER NOT NULL DEFAULT 0,
  cost_trials INTEGER,
  cost_rhs_evaluations INTEGER,
  cost_wall_s REAL,
  note TEXT NOT NULL DEFAULT '',
  priority INTEGER NOT NULL DEFAULT 0 CHECK (priority BETWEEN -100 AND 100),
  queued_at TEXT CHECK (queued_at GLOB '20??-??-??T??:??:??.???Z'),
  name_key TEXT NOT NULL DEFAULT '',
  end_key TEXT NOT NULL DEFAULT '~',
  tagged INTEGER NOT NULL DEFAULT 0 CHECK (tagged IN (0, 1)),
  number INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO searches VALUES('7f9f51076628d42d','kept','single_actuator_crane','succeeded',1,'2026-11-25T19:28:57.635Z','2026-11-25T19:28:57.694Z','2026-11-25T19:28:59.599Z',NULL,'baseline_power_law',2,2,16,16,92517,1.8144644889999999026,'before the new valve',0,'2026-11-25T19:28:57.635Z','kept','2026-11-25T19:28:59.599Z',1,1);
INSERT INTO searches VALUES('aa73daba1536b485','untagged','linear_oscillator','succeeded',1,'2026-11-25T19:28:57.906Z','2026-11-25T19:28:59.646Z','2026-11-25T19:28:59.859Z',NULL,'baseline_power_law',2,2,28,28,19136,0.14737336200000000774,'',0,'2026-11-25T19:28:57.906Z','untagged','2026-11-25T19:28:59.859Z',0,2);
INSERT INTO searches VALUES('b6a27c81389bac5f','cut off','double_actuator_crane','interrupted',0,'2026-11-25T19:29:21.667Z','2026-11-25T19:29:21.733Z',NULL,NULL,'baseline_power_law',0,1,0,NULL,NULL,NULL,'',0,'2026-11-25T19:29:21.667Z','cut off','~',0,3);
INSERT INTO searches VALUES('9eb8da47ef75f469','waiting','linear_oscillator','queued',0,'2026-11-25T19:29:21.718Z',NULL,NULL,NULL,'baseline_power_law',0,45,0,NULL,NULL,NULL,'',7,'2026-11-25T19:29:21.718Z','waiting','~',0,4);
INSERT INTO searches VALUES('3f8839a81178b25f','with notices','linear_oscillator','succeeded',1,'2026-11-28T07:17:48.190Z','2026-11-28T07:17:48.194Z','2026-11-28T07:17:48.455Z',NULL,'baseline_power_law',1,1,12,12,2640,0.24855971900000001229,'',0,'2026-11-28T07:17:48.190Z','with notices','2026-11-28T07:17:48.455Z',0,5);
INSERT INTO searches VALUES('acc300408dce0a7b','of none','linear_oscillator','succeeded',1,'2026-11-28T07:17:48.852Z','2026-11-28T07:17:48.879Z','2026-11-28T07:17:48.914Z','no H that was tried keeps the relative residual within 1e-12 in: step; ask for less; make macro_step.initial_s smaller for a finer scan','baseline_power_law',1,1,11,11,2290,0.017825201999999998325,'',0,'2026-11-28T07:17:48.852Z','of none','2026-11-28T07:17:48.914Z',0,6);
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (name <> ''),
  data TEXT NOT NULL CHECK (json_valid(data)),
  first_trial INTEGER,
  trials INTEGER
) STRICT;
INSERT INTO events VALUES(1,'7f9f51076628d42d','status','{"search":"7f9f51076628d42d","status":"queued","progress":{"curves_done":0,"curves_total":2,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}',NULL,NULL);
INSERT INTO events VALUES(2,'7f9f51076628d42d','status','{"search":"7f9f51076628d42d","status":"running","progress":{"curves_done":0,"curves_total":2,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}',NULL,NULL);
INSERT INTO events VALUES(3,'7f9f51076628d42d','points','{"search":"7f9f51076628d42d","progress":{"curves_done":1,"curves_total":2,"trials_done":16,"cost_done":711125,"cost_expected":742960,"eta_s":null}}',0,16);
INSERT INTO events VALUES(4,'aa73daba1536b485','status','{"search":"aa73daba1536b485","status":"queued","progress":{"curves_done":0,"curves_total":2,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}',NULL,NULL);
INSERT INTO events VALUES(5,'7f9f51076628d42d','finished','{"search":"7f9f51076628d42d","status":"succeeded","recommendation":{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none","macro_step_s":0.0015,"bend_s":0.002,"cliff_s":0.0035,"stability_limit_s":null,"relative_residual":0.021021823758048667,"error":{"nrmse":0.2684880972557938,"max":1.962657749028799,"test":"step","reference":"CVODE BDF"},"correction_gain":null,"rule":"max_min","confidence":null,"checks":[{"check":"growth","verdict":"unknown","value":null,"limit":1.1,"detail":"the outputs do not follow a linear model, which is off by 22 % of how far they move"},{"check":"swing","verdict":"agrees","value":1.7631805565046639,"limit":2.0,"detail":"at 1.25 H: the largest in fast random joystick, against a quarter of H"}],"warnings":["stable but not accurate: the outputs are off by 27 % of their standard deviation in test step (NRMSE); choose a smaller H for results; accuracy sets a limit","larger macro-steps do not stand their checks, although still linear: step","there is no confidence, as the trust study (engine/README.md, \"How often is it wrong?\") does not cover: tests that are fewer, shorter or weaker than the usual ones (step of 1 s, ramp of 1 s, impulse of 1 s, sine of 0.01429 s are missing: add them, or give the job no tests)"],"reason":"of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 1.5 ms by: step; (extrapolation 2, hydraulics forward_euler, mechanics i1al) with H = 2.5 ms does not stand the check of swing (9.701, at most 2 is allowed; at 1.25 H: the largest in random joystick, against a quarter of H), nor do 2 more runs","sentence":"Use first-order extrapolation with H = 1.5 ms, I1AL for mechanics and forward Euler for hydraulics: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 2.1 % and the error of the outputs (NRMSE) 27 %.","ties":[{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"}]},"reason":null,"sentence":"Use first-order extrapolation with H = 1.5 ms, I1AL for mechanics and forward Euler for hydraulics: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 2.1 % and the error of the outputs (NRMSE) 27 %."}',NULL,NULL);
INSERT INTO events VALUES(6,'aa73daba1536b485','status','{"search":"aa73daba1536b485","status":"running","progress":{"curves_done":0,"curves_total":2,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}',NULL,NULL);
INSERT INTO events VALUES(7,'aa73daba1536b485','points','{"search":"aa73daba1536b485","progress":{"curves_done":1,"curves_total":2,"trials_done":28,"cost_done":19136,"cost_expected":20045.399999999998,"eta_s":null}}',0,28);
INSERT INTO events VALUES(8,'aa73daba1536b485','finished','{"search":"aa73daba1536b485","status":"succeeded","recommendation":{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.0116415321827,"bend_s":0.0145519152284,"cliff_s":null,"stability_limit_s":0.011914380593234377,"relative_residual":0.12653036495826742,"error":{"nrmse":0.15059339125550336,"max":0.4753545117275447,"test":"step","reference":"matrix exponential"},"correction_gain":null,"rule":"max_min","confidence":null,"checks":[{"check":"growth","verdict":"agrees","value":1.0928779074652226,"limit":1.1,"detail":""}],"warnings":["the outputs are off by 15 % of their standard deviation in test step (NRMSE); accuracy sets a limit","little margin: by the exact analysis it is unstable beyond 11.9 ms, only 1.023 times H; take a smaller H where the rig may differ from the model","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: step","there is no confidence, as the trust study (engine/README.md, \"How often is it wrong?\") does not cover: tests that are fewer, shorter or weaker than the usual ones (step of 2 s, ramp of 2 s, impulse of 2 s, sine of 2 s are missing: add them, or give the job no tests)"],"reason":"of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 11.6 ms by: step","sentence":"Use first-order extrapolation with H = 11.6 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 13 % and the error of the outputs (NRMSE) 15 %.","ties":[]},"reason":null,"sentence":"Use first-order extrapolation with H = 11.6 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 13 % and the error of the outputs (NRMSE) 15 %."}',NULL,NULL);
INSERT INTO events VALUES(9,'b6a27c81389bac5f','status','{"search":"b6a27c81389bac5f","status":"queued","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}',NULL,NULL);
INSERT INTO events VALUES(10,'9eb8da47ef75f469','status','{"search":"9eb8da47ef75f469","status":"queued","progress":{"curves_done":0,"curves_total":45,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}',NULL,NULL);
INSERT INTO events VALUES(11,'b6a27c81389bac5f','status','{"search":"b6a27c81389bac5f","status":"running","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}',NULL,NULL);
INSERT INTO events VALUES(12,'3f8839a81178b25f','status','{"search":"3f8839a81178b25f","status":"queued","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null,"stage":null}}',NULL,NULL);
INSERT INTO events VALUES(13,'3f8839a81178b25f','status','{"search":"3f8839a81178b25f","status":"running","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null,"stage":null}}',NULL,NULL);
INSERT INTO events VALUES(14,'3f8839a81178b25f','points','{"search":"3f8839a81178b25f","progress":{"curves_done":1,"curves_total":1,"trials_done":12,"cost_done":2640,"cost_expected":2640,"eta_s":null,"stage":"checks"}}',0,12);
INSERT INTO events VALUES(15,'3f8839a81178b25f','status','{"search":"3f8839a81178b25f","status":"running","progress":{"curves_done":1,"curves_total":1,"trials_done":12,"cost_done":2640,"cost_expected":2640,"eta_s":null,"stage":"checks"}}',NULL,NULL);
INSERT INTO events VALUES(16,'3f8839a81178b25f','status','{"search":"3f8839a81178b25f","status":"running","progress":{"curves_done":1,"curves_total":1,"trials_done":12,"cost_done":2640,"cost_expected":2640,"eta_s":null,"stage":"step_times"}}',NULL,NULL);
INSERT INTO events VALUES(17,'3f8839a81178b25f','status','{"search":"3f8839a81178b25f","status":"running","progress":{"curves_done":1,"curves_total":1,"trials_done":12,"cost_done":2640,"cost_expected":2640,"eta_s":null,"stage":"error"}}',NULL,NULL);
INSERT INTO events VALUES(18,'3f8839a81178b25f','finished','{"search":"3f8839a81178b25f","status":"succeeded","recommendation":{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00286,"verified":true,"macro_step_verified_s":0.00286,"bend_s":null,"cliff_s":null,"stability_limit_s":null,"session_limit_s":0.00321044689325967,"growth":{"rate_per_s":0.14152560824091448,"uncertainty_per_s":0.0,"exact_rate_per_s":0.0,"doubles_every_s":4.897680279741481,"session_s":0.6,"over_session":1.0886249269682684,"verdict_by":"exact"},"relative_residual":0.1418391002203894,"error":{"nrmse":0.059682949023580956,"max":0.12406884724457304,"test":"step","reference":"matrix exponential"},"correction_gain":null,"rule":"max_min","confidence":null,"checks":[{"check":"growth","verdict":"agrees","value":0.1556646528748759,"limit":0.1588502996738749,"detail":"an oscillation that is not damped grows by 9.8 % in a session of 0.6 s (0.1557 ± 3.529e-13 per s), which is allowed"}],"warnings":["stable within a session alone: at every H tried some undamped oscillation grows; at this one it grows by 8.9 % in a session of 0.6 s; session_s sets how long a session is","the outputs are off by 6 % of their standard deviation in test step (NRMSE)","accuracy sets a limit on the error of the outputs","larger macro-steps keep no margin to the exact limit of stability, or exceed it, although their residual still lies on its line: step"],"notices":[{"code":"stable_within_session","severity":"warning","subject":"","numbers":{"rate_per_s":0.14152560824091448,"growth_share":0.08862492696826847,"session_s":0.6},"sentence":"stable within a session alone: at every H tried some undamped oscillation grows; at this one it grows by 8.9 % in a session of 0.6 s; session_s sets how long a session is"},{"code":"outputs_off","severity":"warning","subject":"step","numbers":{"relative_residual":0.1418391002203894,"nrmse":0.059682949023580956},"sentence":"the outputs are off by 6 % of their standard deviation in test step (NRMSE)"},{"code":"set_accuracy","severity":"info","subject":"","numbers":{},"sentence":"accuracy sets a limit on the error of the outputs"},{"code":"larger_steps_unstable","severity":"info","subject":"step","numbers":{},"sentence":"larger macro-steps keep no margin to the exact limit of stability, or exceed it, although their residual still lies on its line: step"}],"reason":"of all configurations it stays stable up to the largest macro-step tried in every test that counts; limited at 2.86 ms by: step","reasons":[{"code":"largest_stable_step","severity":"info","subject":"","numbers":{},"sentence":"of all configurations it stays stable up to the largest macro-step tried in every test that counts"},{"code":"limited_by_tests","severity":"info","subject":"step","numbers":{"macro_step_s":0.00286},"sentence":"limited at 2.86 ms by: step"}],"sentence":"Use zero-order extrapolation (hold) with H = 2.86 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step with a margin of 12 % at which undamped oscillations grow by no more than a tenth in a session of 0.6 s. That does not promise accuracy; at this H the relative residual is 14 % and the error of the outputs (NRMSE) 6 %.","ties":[]},"reason":null,"sentence":"Use zero-order extrapolation (hold) with H = 2.86 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step with a margin of 12 % at which undamped oscillations grow by no more than a tenth in a session of 0.6 s. That does not promise accuracy; at this H the relative residual is 14 % and the error of the outputs (NRMSE) 6 %."}',NULL,NULL);
INSERT INTO events VALUES(19,'acc300408dce0a7b','status','{"search":"acc300408dce0a7b","status":"queued","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null,"stage":null}}',NULL,NULL);
INSERT INTO events VALUES(20,'acc300408dce0a7b','status','{"search":"acc300408dce0a7b","status":"running","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null,"stage":null}}',NULL,NULL);
INSERT INTO events VALUES(21,'acc300408dce0a7b','points','{"search":"acc300408dce0a7b","progress":{"curves_done":1,"curves_total":1,"trials_done":11,"cost_done":2290,"cost_expected":2290,"eta_s":null,"stage":"curves"}}',0,11);
INSERT INTO events VALUES(22,'acc300408dce0a7b','finished','{"search":"acc300408dce0a7b","status":"succeeded","recommendation":null,"reason":"no H that was tried keeps the relative residual within 1e-12 in: step; ask for less; make macro_step.initial_s smaller for a finer scan","sentence":"No configuration can be recommended: no H that was tried keeps the relative residual within 1e-12 in: step; ask for less; make macro_step.initial_s smaller for a finer scan."}',NULL,NULL);
CREATE TABLE documents (
  search_id TEXT NOT NULL PRIMARY KEY REFERENCES searches ON DELETE CASCADE,
  provenance TEXT CHECK (provenance IS NULL OR json_valid(provenance)),
  result_table TEXT CHECK (result_table IS NULL OR json_valid(result_table)),
  job TEXT NOT NULL CHECK (json_valid(job)),
  plan TEXT NOT NULL CHECK (json_valid(plan))
) STRICT;
INSERT INTO documents VALUES('7f9f51076628d42d','{"version":"0.1.0","build_id":"83021e0185ab2647414fe9f9efd695f580bed57c","math_class":"0588345370f7f3f2"}','[{"test":"step","configurations":[{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"},{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"}],"macro_step_s":0.0015,"cliff_s":0.0035,"flags":["cut_at_checks"]}]','{"name":"kept","note":"before the new valve","problem":"single_actuator_crane","search":{"extrapolation":["1","2"],"integrators":{"hydraulics":["forward_euler"],"mechanics":["i1al"]},"macro_step":{"increment_s":0.0005,"initial_s":0.0005,"maximum_s":0.005}},"tags":["kept","rig 2"],"tests":[{"duration_s":0.5,"kind":"step","name":"step"}]}','{"kind":"search","name":"kept","problem":"single_actuator_crane","parameters":{},"micro_steps":{"hydraulics":0.0001},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["1","2"],"integrators":{"hydraulics":["forward_euler"],"mechanics":["i1al"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":0.0005,"increment_s":0.0005,"maximum_s":0.005},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"arithmetic","ratio":1.25},"relative_residual_max":null,"accuracy":null,"stability_check":"all","validate_unseen":false,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"step","kind":"step","duration_s":0.5}]}');
INSERT INTO documents VALUES('aa73daba1536b485','{"version":"0.1.0","build_id":"83021e0185ab2647414fe9f9efd695f580bed57c","math_class":"0588345370f7f3f2"}','[{"test":"step","configurations":[{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}],"macro_step_s":0.0116415321827,"cliff_s":null,"flags":["cliff_not_reached","cut_at_stability_limit"]}]','{"name":"untagged","problem":"linear_oscillator","search":{"couplings":["force_displacement"],"extrapolation":["0","1"],"integrators":{"m1":["symplectic_euler"],"m2":["symplectic_euler"]},"macro_step":{"increment_s":0.002,"initial_s":0.001,"maximum_s":0.02}},"tests":[{"duration_s":1,"kind":"step","name":"step"}]}','{"kind":"search","name":"untagged","problem":"linear_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["0","1"],"integrators":{"coupling":["exact"],"m1":["symplectic_euler"],"m2":["symplectic_euler"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":0.001,"increment_s":0.002,"maximum_s":0.02},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":null,"accuracy":null,"stability_check":"all","validate_unseen":false,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"step","kind":"step","duration_s":1.0}]}');
INSERT INTO documents VALUES('b6a27c81389bac5f','{"version":"0.1.0","build_id":"83021e0185ab2647414fe9f9efd695f580bed57c","math_class":"0588345370f7f3f2"}',NULL,'{"name":"cut off","problem":"double_actuator_crane","search":{"extrapolation":["2"],"integrators":{"hydraulics":["trapezoidal"],"mechanics":["i3al"]},"macro_step":{"increment_s":5e-05,"initial_s":5e-05,"maximum_s":0.003}},"tests":[{"duration_s":60,"kind":"step","name":"step"}]}','{"kind":"search","name":"cut off","problem":"double_actuator_crane","parameters":{},"micro_steps":{"hydraulics":0.0001},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["2"],"integrators":{"hydraulics":["trapezoidal"],"mechanics":["i3al"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":5e-05,"increment_s":5e-05,"maximum_s":0.003},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"arithmetic","ratio":1.25},"relative_residual_max":null,"accuracy":null,"stability_check":"all","validate_unseen":false,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"step","kind":"step","duration_s":60.0}]}');
INSERT INTO documents VALUES('9eb8da47ef75f469','{"version":"0.1.0","build_id":"83021e0185ab2647414fe9f9efd695f580bed57c","math_class":"0588345370f7f3f2"}',NULL,'{"name":"waiting","priority":7,"problem":"linear_oscillator"}','{"kind":"search","name":"waiting","problem":"linear_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement","displacement_displacement","force_force"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["0","1","2"],"integrators":{"coupling":["exact"],"m1":["symplectic_euler"],"m2":["symplectic_euler"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":0.0001,"increment_s":0.0001,"maximum_s":0.1},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":null,"accuracy":null,"stability_check":"all","validate_unseen":false,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"none","kind":"none","duration_s":10.0},{"name":"step","kind":"step","duration_s":2.0},{"name":"ramp","kind":"ramp","duration_s":2.0},{"name":"impulse","kind":"impulse","width_s":0.8,"duration_s":2.0},{"name":"sine_2hz","kind":"sine","frequency_hz":2.0,"periods":4.0}]}');
INSERT INTO documents VALUES('3f8839a81178b25f','{"version":"0.1.0","build_id":"bfea04b0a93a4708c362ef2799776a4dd4323751","math_class":"ee92ab7688761b1b"}','[{"test":"step","configurations":[{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}],"macro_step_s":0.0186264514923,"macro_step_verified_s":0.00286,"cliff_s":null,"flags":["bend_not_reached"]}]','{"name":"with notices","problem":"linear_oscillator","search":{"couplings":["force_displacement"],"extrapolation":["0"],"macro_step":{"increment_s":0.002,"initial_s":0.002,"maximum_s":0.02}},"session_s":0.6,"tests":[{"duration_s":0.5,"kind":"step"}]}','{"kind":"search","name":"with notices","problem":"linear_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","session_s":0.6,"search":{"preset":null,"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["0"],"integrators":{"coupling":["exact"],"m1":["symplectic_euler"],"m2":["symplectic_euler"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":0.002,"increment_s":0.002,"maximum_s":0.02},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":null,"accuracy":null,"stability_check":"all","validate_unseen":false,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"step","kind":"step","duration_s":0.5}]}');
INSERT INTO documents VALUES('acc300408dce0a7b','{"version":"0.1.0","build_id":"bfea04b0a93a4708c362ef2799776a4dd4323751","math_class":"ee92ab7688761b1b"}','[{"test":"step","configurations":[],"macro_step_s":null,"macro_step_verified_s":null,"cliff_s":null,"flags":["relative_residual_exceeded"]}]','{"name":"of none","problem":"linear_oscillator","search":{"couplings":["force_displacement"],"extrapolation":["0"],"macro_step":{"increment_s":0.002,"initial_s":0.002,"maximum_s":0.02},"relative_residual_max":1e-12},"tests":[{"duration_s":0.5,"kind":"step"}]}','{"kind":"search","name":"of none","problem":"linear_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","session_s":null,"search":{"preset":null,"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["0"],"integrators":{"coupling":["exact"],"m1":["symplectic_euler"],"m2":["symplectic_euler"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":0.002,"increment_s":0.002,"maximum_s":0.02},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":1e-12,"accuracy":null,"stability_check":"all","validate_unseen":false,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"step","kind":"step","duration_s":0.5}]}');
CREATE TABLE configurations (
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  configuration_id INTEGER NOT NULL CHECK (configuration_id >= 0),
  coupling TEXT NOT NULL,
  scheme TEXT NOT NULL,
  extrapolation TEXT NOT NULL,
  integrators TEXT NOT NULL CHECK (json_valid(integrators)),
  substeps TEXT NOT NULL CHECK (json_valid(substeps)),
  correction TEXT NOT NULL,
  configuration TEXT NOT NULL CHECK (json_valid(configuration)),
  subsystem_order TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(subsystem_order)),
  PRIMARY KEY (search_id, configuration_id)
) STRICT, WITHOUT ROWID;
INSERT INTO configurations VALUES('3f8839a81178b25f',0,'force_displacement','jacobi','0','{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('7f9f51076628d42d',0,'force_displacement','jacobi','1','{"hydraulics":"forward_euler","mechanics":"i1al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('7f9f51076628d42d',1,'force_displacement','jacobi','2','{"hydraulics":"forward_euler","mechanics":"i1al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('aa73daba1536b485',0,'force_displacement','jacobi','0','{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('aa73daba1536b485',1,'force_displacement','jacobi','1','{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('acc300408dce0a7b',0,'force_displacement','jacobi','0','{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('b6a27c81389bac5f',0,'force_displacement','jacobi','2','{"hydraulics":"trapezoidal","mechanics":"i3al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"trapezoidal","mechanics":"i3al"},"substeps":{},"correction":"none"}','[]');
CREATE TABLE curves (
  search_id TEXT NOT NULL,
  curve_id INTEGER NOT NULL CHECK (curve_id >= 0),
  configuration_id INTEGER NOT NULL,
  test TEXT NOT NULL,
  bend_s REAL,
  cliff_s REAL,
  slope REAL,
  fit_coefficient REAL,
  fit_exponent REAL,
  reason TEXT,
  flags TEXT NOT NULL CHECK (json_valid(flags)),
  weighted_rhs_evaluations REAL,
  counts INTEGER CHECK (counts IN (0, 1)),
  stability_limit_s REAL,
  rejected_from_s REAL,
  linear_up_to_s REAL, usable_s REAL, limited_by TEXT,
  PRIMARY KEY (search_id, curve_id),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO curves VALUES('3f8839a81178b25f',0,0,'step',NULL,NULL,1.0779368849062047619,1707489.014551768545,1.0779368849062047619,'','["stable_within_session","limited_by_rate","cut_at_stability_limit","verified"]',350.0,1,NULL,0.0028613608674328610756,0.018626451492300001577,0.0028600000000000001289,'stable_within_session');
INSERT INTO curves VALUES('7f9f51076628d42d',0,0,'step',0.0020000000000000000416,0.0035000000000000000728,1.4885884970915654879,29502.059805118784426,1.4885884970915654879,'at H = 2.5 ms the residual of 6.599 J is more than 1.35 times the 3.949 J of the line','["cut_at_checks"]',45675.0,1,NULL,0.0020000000000000000416,0.0020000000000000000416,0.0015000000000000000312,'cut_at_checks');
INSERT INTO curves VALUES('7f9f51076628d42d',1,1,'step',0.002500000000000000052,0.0044999999999999996599,1.5812648664242954232,63196.995496742158137,1.5812648664242954232,'at H = 3 ms the residual of 8.938 J is more than 1.35 times the 6.477 J of the line','["cut_at_checks"]',45750.0,1,NULL,0.0020000000000000000416,0.002500000000000000052,0.0015000000000000000312,'cut_at_checks');
INSERT INTO curves VALUES('aa73daba1536b485',0,0,'step',0.014551915228400000637,NULL,1.0812361668462227015,4154980.5477223838677,1.0812361668462227015,'at H = 18.1 ms the residual of 8.1e+04 J is more than 1.35 times the 5.458e+04 J of the line','["cliff_not_reached","cut_at_stability_limit"]',1280.0,1,0.00192546844482421875,NULL,0.014551915228400000637,0.0015625000000000000867,'cut_at_stability_limit');
INSERT INTO curves VALUES('aa73daba1536b485',1,1,'step',0.014551915228400000637,NULL,1.9935562341244941197,60049619.955540046094,1.9935562341244941197,'at H = 18.1 ms the residual of 2.853e+04 J is more than 1.35 times the 2.039e+04 J of the line','["cliff_not_reached","cut_at_stability_limit"]',172.0,1,0.011914380593234377009,NULL,0.014551915228400000637,0.0093132257461500007889,'cut_at_stability_limit');
INSERT INTO curves VALUES('acc300408dce0a7b',0,0,'step',NULL,NULL,1.0779368849062047619,1707489.014551768545,1.0779368849062047619,'','["relative_residual_exceeded"]',NULL,0,NULL,NULL,0.018626451492300001577,NULL,'relative_residual_exceeded');
INSERT INTO curves VALUES('b6a27c81389bac5f',0,0,'step',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE trials (
  id INTEGER PRIMARY KEY,
  curve_id INTEGER NOT NULL,
  point INTEGER NOT NULL CHECK (point >= 0),
  macro_step_s REAL NOT NULL CHECK (macro_step_s > 0),
  status TEXT NOT NULL CHECK (status <> ''),
  reason TEXT,
  residual_J REAL,
  startup_residual_J REAL,
  relative_residual REAL,
  transmitted_J REAL,
  bond_residuals_J TEXT NOT NULL,
  nrmse REAL,
  macro_steps INTEGER NOT NULL,
  rhs_evaluations INTEGER NOT NULL,
  cost REAL,
  wall_s REAL
) STRICT;
INSERT INTO trials VALUES(4294967296,0,0,0.0005000000000000000104,'complete',NULL,0.38650322335244918781,3.9306042648314058014e-18,0.0047223989580998928725,81.844678262414930717,'[0.3865032233524492]',NULL,1000,7017,75425.0,0.00027760300000000001858);
INSERT INTO trials VALUES(4294967297,0,1,0.0010000000000000000208,'complete',NULL,0.90116549516209631942,1.5916935955951587637e-17,0.011017355771942740141,81.795079855462432764,'[0.9011654951620963]',NULL,500,6146,53650.0,0.00016467500000000000475);
INSERT INTO trials VALUES(4294967298,0,2,0.0015000000000000000312,'complete',NULL,1.7168152064911319509,3.4469865069360276512e-17,0.021021823758048667485,81.668233272758342881,'[1.716815206491132]',NULL,334,5835,45675.0,0.00013301799999999999258);
INSERT INTO trials VALUES(4294967299,0,3,0.0020000000000000000416,'complete',NULL,3.1753645182229850441,6.0046984223090409025e-17,0.039024865033769937094,81.367725819812619647,'[3.175364518222985]',NULL,250,5622,40550.0,0.00011505099999999999333);
INSERT INTO trials VALUES(4294967300,0,4,0.002500000000000000052,'complete',NULL,6.5988588031789454646,7.3859578194088754267e-17,0.081919568118356447805,80.552900299046868324,'[6.5988588031789455]',NULL,200,5497,37425.0,0.00010408500000000000379);
INSERT INTO trials VALUES(4294967301,0,5,0.0030000000000000000624,'complete',NULL,20.885876023030469639,1.2809857219353585741e-16,0.27414384252200268976,76.185829420386042441,'[20.88587602303047]',NULL,167,5426,35450.0,9.7405000000000006767e-05);
INSERT INTO trials VALUES(4294967302,0,6,0.0035000000000000000728,'complete',NULL,246.10410156292812189,1.9617612841587160005e-16,0.96895373021932340584,253.98952900178451842,'[246.10410156292812]',NULL,143,5387,34575.0,9.4760999999999996172e-05);
INSERT INTO trials VALUES(4294967303,1,0,0.0005000000000000000104,'complete',NULL,0.41798996549984696047,4.3948389717143246388e-18,0.0051070636303961157442,81.845458711746402972,'[0.41798996549984696]',NULL,1000,7019,75475.0,0.00025937600000000001843);
INSERT INTO trials VALUES(4294967304,1,1,0.0010000000000000000208,'complete',NULL,1.0309762071845476327,1.9114612064781296324e-17,0.012602968098778710021,81.804238422570819009,'[1.0309762071845476]',NULL,500,6151,53775.0,0.00016925199999999999836);
INSERT INTO trials VALUES(4294967305,1,2,0.0015000000000000000312,'complete',NULL,1.9515694825247555943,4.0475278954457850561e-17,0.023883454460856972517,81.712194763249939907,'[1.9515694825247556]',NULL,334,5838,45750.0,0.0001363729999999999901);
INSERT INTO trials VALUES(4294967306,1,3,0.0020000000000000000416,'complete',NULL,3.3468089396798998969,6.7147608576286397633e-17,0.041051845927611164965,81.52639337050763402,'[3.3468089396799]',NULL,250,5622,40550.0,0.00011810599999999999711);
INSERT INTO trials VALUES(4294967307,1,4,0.002500000000000000052,'complete',NULL,5.5306375782347894087,8.3813317455415104499e-17,0.06816269193868156051,81.138778720918082855,'[5.530637578234789]',NULL,200,5497,37425.0,0.00010589799999999999473);
INSERT INTO trials VALUES(4294967308,1,5,0.0030000000000000000624,'complete',NULL,8.9379732510618001839,1.7999136728952327478e-16,0.11134728965680368295,80.271134381542267989,'[8.9379732510618]',NULL,167,5426,35450.0,9.8807000000000004529e-05);
INSERT INTO trials VALUES(4294967309,1,6,0.0035000000000000000728,'complete',NULL,14.826415014393996116,2.8121624765329968216e-16,0.19009672751150513692,77.994057070217920114,'[14.826415014393996]',NULL,143,5362,33950.0,9.3479000000000004033e-05);
INSERT INTO trials VALUES(4294967310,1,7,0.0040000000000000000832,'complete',NULL,27.305099337347964905,4.1363887851345261959e-16,0.3745046688031760107,72.909903699220322435,'[27.305099337347965]',NULL,125,5320,33000.0,9.0323999999999997822e-05);
INSERT INTO trials VALUES(4294967311,1,8,0.0044999999999999996599,'complete',NULL,141.00142380561135269,4.982044503407779293e-16,0.7909352114730507921,178.27177467925341147,'[141.00142380561135]',NULL,112,5352,33000.0,0.00014004800000000001167);
INSERT INTO trials VALUES(8589934592,0,0,0.0010000000000000000208,'complete',NULL,2398.6578267243658046,3.0008900000000000574,0.037287076837943342044,64329.468280642766331,'[2398.657826724366]',NULL,1000,2000,2000.0,9.3258999999999995979e-05);
INSERT INTO trials VALUES(8589934593,0,1,0.001250000000000000026,'complete',NULL,3026.0146806845091304,4.689672851562499467,0.046605469370757525437,64928.316816463040594,'[3026.014680684509]',NULL,800,1600,1600.0,5.2769000000000002483e-05);
INSERT INTO trials VALUES(8589934594,0,2,0.0015625000000000000867,'complete',NULL,3826.0618710744756754,7.3295235633850097656,0.058251151195463077292,65682.167520364309895,'[3826.0618710744757]',NULL,640,1280,1280.0,4.2333000000000002788e-05);
INSERT INTO trials VALUES(8589934595,0,3,0.001953125,'complete',NULL,4852.1764938772748792,11.457043001428246498,0.07281012906794173678,66641.503812601891694,'[4852.176493877275]',NULL,512,1024,1024.0,3.430100000000000244e-05);
INSERT INTO trials VALUES(8589934596,0,4,0.00244140625,'complete',NULL,6160.7192683728089831,17.913012584358511958,0.091019344898317089409,67685.823000102900552,'[6160.719268372809]',NULL,410,820,820.0,2.7730999999999999274e-05);
INSERT INTO trials VALUES(8589934597,0,5,0.0030517578125,'complete',NULL,7877.6224070675370967,28.016872433145323384,0.11377977425723576065,69235.700795623299199,'[7877.622407067537]',NULL,328,656,656.0,2.248300000000000141e-05);
INSERT INTO trials VALUES(8589934598,0,6,0.0038146972656200000932,'complete',NULL,9993.6675375606046148,43.8442105157492108,0.14218387733833567909,70286.925104595575249,'[9993.667537560605]',NULL,263,526,526.0,1.8326999999999999188e-05);
INSERT INTO trials VALUES(8589934599,0,7,0.0047683715820300001317,'complete',NULL,13107.43392980122735,68.672221848665998323,0.17766671059656188869,73775.407254345118416,'[13107.433929801227]',NULL,210,420,420.0,1.4991999999999999779e-05);
INSERT INTO trials VALUES(8589934600,0,8,0.005960464477540000118,'complete',NULL,17142.770661610971729,107.70474829308398056,0.22233904922462593978,77101.933832108261413,'[17142.77066161097]',NULL,168,336,336.0,1.2768999999999999209e-05);
INSERT INTO trials VALUES(8589934601,0,9,0.0074505805969199995902,'complete',NULL,22109.583730100985121,169.27597793440412488,0.27711682190113517965,79784.343579073130968,'[22109.583730100985]',NULL,135,270,270.0,1.0845999999999999155e-05);
INSERT INTO trials VALUES(8589934602,0,10,0.0093132257461500007889,'complete',NULL,30086.264601890074117,266.90413721852371509,0.34793598029440769847,86470.690890986428708,'[30086.264601890074]',NULL,108,216,216.0,9.0729999999999993596e-06);
INSERT INTO trials VALUES(8589934603,0,11,0.011641532182700000536,'complete',NULL,41441.788912169227844,422.92253299867854821,0.43399419189276988717,95489.270792841751244,'[41441.78891216923]',NULL,86,172,172.0,7.7109999999999995251e-06);
INSERT INTO trials VALUES(8589934604,0,12,0.014551915228400000637,'complete',NULL,56165.41316626700427,675.1836907079539287,0.54060072682844872993,103894.44626864187011,'[56165.413166267004]',NULL,69,138,138.0,6.8900000000000001009e-06);
INSERT INTO trials VALUES(8589934605,0,13,0.018189894035500000363,'complete',NULL,81002.559678154517318,1090.0507689166283853,0.67796174298963307602,119479.54367005212407,'[81002.55967815452]',NULL,55,110,110.0,6.3999999999999997103e-06);
INSERT INTO trials VALUES(8589934606,1,0,0.0010000000000000000208,'complete',NULL,62.693934111672902529,2.9993594806610412994,0.001008376275018380095,62173.15466940171609,'[62.6939341116729]',NULL,1000,2000,2000.0,0.00011233700000000000542);
INSERT INTO trials VALUES(8589934607,1,1,0.001250000000000000026,'complete',NULL,97.938974039606918609,4.6859423796726806799,0.0015738726828960997259,62228.015711784501035,'[97.93897403960692]',NULL,800,1600,1600.0,5.3980000000000001557e-05);
INSERT INTO trials VALUES(8589934608,1,2,0.0015625000000000000867,'complete',NULL,152.98631033572888781,7.3204393972756092168,0.0024557140330355967279,62298.096715527164633,'[152.9863103357289]',NULL,640,1280,1280.0,4.3395000000000000413e-05);
INSERT INTO trials VALUES(8589934609,1,3,0.001953125,'complete',NULL,238.92890079061962183,11.434954126070349999,0.0038295251884216787233,62391.259760610970259,'[238.92890079061962]',NULL,512,1024,1024.0,3.5331999999999999853e-05);
INSERT INTO trials VALUES(8589934610,1,4,0.00244140625,'complete',NULL,372.41934860204059987,17.859424476301128947,0.0059717085800590190974,62363.952227280307853,'[372.4193486020406]',NULL,410,820,820.0,2.8673000000000001437e-05);
INSERT INTO trials VALUES(8589934611,1,5,0.0030517578125,'complete',NULL,581.84517255212404051,27.887334154350060799,0.0092999201773382843966,62564.534045135544145,'[581.845172552124]',NULL,328,656,656.0,2.3064000000000001438e-05);
INSERT INTO trials VALUES(8589934612,1,6,0.0038146972656200000932,'complete',NULL,897.74699183344989703,43.532858720225235059,0.014491670235857319684,61949.173368030315033,'[897.7469918334499]',NULL,263,526,526.0,1.9148999999999999111e-05);
INSERT INTO trials VALUES(8589934613,1,7,0.0047683715820300001317,'complete',NULL,1419.4242590762676172,67.930642949884031621,0.02244520356476444392,63239.536009579693201,'[1419.4242590762676]',NULL,210,420,420.0,1.5463000000000000859e-05);
INSERT INTO trials VALUES(8589934614,1,8,0.005960464477540000118,'complete',NULL,2223.2534074997411153,105.96415786256328317,0.034725266088603656822,64024.085570056486174,'[2223.253407499741]',NULL,168,336,336.0,1.287899999999999985e-05);
INSERT INTO trials VALUES(8589934615,1,9,0.0074505805969199995902,'complete',NULL,3424.8605943262123219,165.28790381199056015,0.054008844198067923469,63412.958473359278288,'[3424.8605943262123]',NULL,135,270,270.0,1.1076000000000000341e-05);
INSERT INTO trials VALUES(8589934616,1,10,0.0093132257461500007889,'complete',NULL,5505.7257379167176621,269.17175662532150681,0.082507169850985870307,66730.270203916472382,'[5505.725737916718]',NULL,108,216,216.0,9.3440000000000006611e-06);
INSERT INTO trials VALUES(8589934617,1,11,0.011641532182700000536,'complete',NULL,9067.8829236815090553,498.98767944719907064,0.12653036495826741614,71665.666392982442628,'[9067.882923681509]',NULL,86,172,172.0,7.9419999999999995156e-06);
INSERT INTO trials VALUES(8589934618,1,12,0.014551915228400000637,'complete',NULL,15106.648874435499237,959.38859906818493069,0.19513317884840036819,77417.120776635871153,'[15106.6488744355]',NULL,69,138,138.0,6.6989999999999997274e-06);
INSERT INTO trials VALUES(8589934619,1,13,0.018189894035500000363,'complete',NULL,28530.686234082510055,1898.0060774498529099,0.30306468497266175754,94140.583343308870097,'[28530.68623408251]',NULL,55,110,110.0,5.9780000000000001929e-06);
INSERT INTO trials VALUES(21474836480,0,0,0.0020000000000000000416,'complete',NULL,2126.2675187421109512,12.014240000000000919,0.099032338762631566542,21470.436276765256478,'[2126.267518742111]',NULL,250,500,500.0,0.00032877299999999997758);
INSERT INTO trials VALUES(21474836481,0,1,0.002500000000000000052,'complete',NULL,2682.6966422933428476,18.784765624999998578,0.12366209245305938291,21693.767176967845443,'[2682.696642293343]',NULL,200,400,400.0,3.2993000000000000733e-05);
INSERT INTO trials VALUES(21474836482,0,2,0.0031250000000000001734,'complete',NULL,3392.1662292038295162,29.38175201416015625,0.15440492603019634332,21969.287615476965583,'[3392.1662292038295]',NULL,160,320,320.0,1.771300000000000134e-05);
INSERT INTO trials VALUES(21474836483,0,3,0.00390625,'complete',NULL,4301.0486097491093461,45.983586460351943969,0.19264953376717630639,22325.767032206145813,'[4301.048609749109]',NULL,128,256,256.0,1.4748000000000000082e-05);
INSERT INTO trials VALUES(21474836484,0,4,0.0048828125,'complete',NULL,5410.8041873174897774,72.031480158329941332,0.24224668257732184795,22335.926873179923859,'[5410.80418731749]',NULL,103,206,206.0,1.3084999999999999233e-05);
INSERT INTO trials VALUES(21474836485,0,5,0.006103515625,'complete',NULL,7004.3203149295104594,112.99383206875290852,0.30020522109659608656,23331.773809076268662,'[7004.3203149295105]',NULL,82,164,164.0,1.0730999999999999409e-05);
INSERT INTO trials VALUES(21474836486,0,6,0.00762939453125,'complete',NULL,8975.2532270087485811,177.63842003262755042,0.37479901881784727368,23946.842911482464841,'[8975.253227008749]',NULL,66,132,132.0,9.0669999999999997559e-06);
INSERT INTO trials VALUES(21474836487,0,7,0.0095367431640600002634,'complete',NULL,11411.793157153015272,280.21031798344961315,0.47019401031087171283,24270.392448444923503,'[11411.793157153015]',NULL,53,106,106.0,7.9260000000000000075e-06);
INSERT INTO trials VALUES(21474836488,0,8,0.011920928955099999863,'complete',NULL,15274.781386514812766,444.29904832231227372,0.57455039063838864166,26585.625273951776761,'[15274.781386514813]',NULL,42,84,84.0,7.1330000000000001467e-06);
INSERT INTO trials VALUES(21474836489,0,9,0.014901161193799999926,'complete',NULL,20158.916622023061791,710.01420262319061295,0.71854829666469821614,28055.061455987241061,'[20158.91662202306]',NULL,34,68,68.0,6.7630000000000003003e-06);
INSERT INTO trials VALUES(21474836490,0,10,0.018626451492300001577,'complete',NULL,26338.926665352148119,1147.9639387413346867,0.88538701758085280868,29748.489804287084553,'[26338.926665352148]',NULL,27,54,54.0,5.7400000000000000999e-06);
INSERT INTO trials VALUES(21474836491,0,11,0.0028600000000000001289,'complete',NULL,3072.7649838478610035,24.598346211982399013,0.14183910022038939691,21663.737143519687378,'[3072.764983847861]',NULL,175,350,350.0,3.0998999999999999157e-05);
INSERT INTO trials VALUES(25769803776,0,0,0.0020000000000000000416,'complete',NULL,2126.2675187421109512,12.014240000000000919,0.099032338762631566542,21470.436276765256478,'[2126.267518742111]',NULL,250,500,500.0,0.00037934800000000000073);
INSERT INTO trials VALUES(25769803777,0,1,0.002500000000000000052,'complete',NULL,2682.6966422933428476,18.784765624999998578,0.12366209245305938291,21693.767176967845443,'[2682.696642293343]',NULL,200,400,400.0,2.4465999999999999195e-05);
INSERT INTO trials VALUES(25769803778,0,2,0.0031250000000000001734,'complete',NULL,3392.1662292038295162,29.38175201416015625,0.15440492603019634332,21969.287615476965583,'[3392.1662292038295]',NULL,160,320,320.0,1.733300000000000159e-05);
INSERT INTO trials VALUES(25769803779,0,3,0.00390625,'complete',NULL,4301.0486097491093461,45.983586460351943969,0.19264953376717630639,22325.767032206145813,'[4301.048609749109]',NULL,128,256,256.0,1.4939000000000000455e-05);
INSERT INTO trials VALUES(25769803780,0,4,0.0048828125,'complete',NULL,5410.8041873174897774,72.031480158329941332,0.24224668257732184795,22335.926873179923859,'[5410.80418731749]',NULL,103,206,206.0,1.285499999999999974e-05);
INSERT INTO trials VALUES(25769803781,0,5,0.006103515625,'complete',NULL,7004.3203149295104594,112.99383206875290852,0.30020522109659608656,23331.773809076268662,'[7004.3203149295105]',NULL,82,164,164.0,1.0819999999999999743e-05);
INSERT INTO trials VALUES(25769803782,0,6,0.00762939453125,'complete',NULL,8975.2532270087485811,177.63842003262755042,0.37479901881784727368,23946.842911482464841,'[8975.253227008749]',NULL,66,132,132.0,8.6359999999999999863e-06);
INSERT INTO trials VALUES(25769803783,0,7,0.0095367431640600002634,'complete',NULL,11411.793157153015272,280.21031798344961315,0.47019401031087171283,24270.392448444923503,'[11411.793157153015]',NULL,53,106,106.0,7.9650000000000008202e-06);
INSERT INTO trials VALUES(25769803784,0,8,0.011920928955099999863,'complete',NULL,15274.781386514812766,444.29904832231227372,0.57455039063838864166,26585.625273951776761,'[15274.781386514813]',NULL,42,84,84.0,6.7020000000000003767e-06);
INSERT INTO trials VALUES(25769803785,0,9,0.014901161193799999926,'complete',NULL,20158.916622023061791,710.01420262319061295,0.71854829666469821614,28055.061455987241061,'[20158.91662202306]',NULL,34,68,68.0,6.5230000000000000572e-06);
INSERT INTO trials VALUES(25769803786,0,10,0.018626451492300001577,'complete',NULL,26338.926665352148119,1147.9639387413346867,0.88538701758085280868,29748.489804287084553,'[26338.926665352148]',NULL,27,54,54.0,5.3499999999999995991e-06);
CREATE TABLE traces (
  id INTEGER PRIMARY KEY,
  trial INTEGER NOT NULL REFERENCES trials ON DELETE CASCADE,
  request TEXT NOT NULL CHECK (json_valid(request)),
  status TEXT NOT NULL CHECK (status <> ''),
  reason TEXT,
  points_total INTEGER NOT NULL CHECK (points_total >= 0),
  columns TEXT NOT NULL CHECK (json_valid(columns)),
  rows INTEGER NOT NULL CHECK (rows >= 0),
  series BLOB NOT NULL,
  size_bytes INTEGER NOT NULL CHECK (size_bytes > 0),
  used_at TEXT NOT NULL CHECK (used_at GLOB '20??-??-??T??:??:??.???Z'),
  reference TEXT CHECK (reference IS NULL OR json_valid(reference)),
  reference_reason TEXT,
  UNIQUE (trial, request)
) STRICT;
INSERT INTO traces VALUES(1,4294967299,'{"points":10,"build_id":"83021e0185ab2647414fe9f9efd695f580bed57c"}','complete',NULL,251,'["t","mechanics.s","mechanics.s_dot","mechanics.s_ddot","hydraulics.f","residual_power_W","hydraulics.u_ref"]',10,X'789c636080803f2b3f5ef24d5a60bf0a4409ecb0d76e17bb79eefb61fbc6a9cedd39cf4fdbdb9bc6edf2e4b9649fb5a764b204cb35fb6920e1df37ed0f9e5ae8baedf35d7b88290fecfffd0781fb0469a7ac3bfadfd81fd837cdbf619520f5c05e876da68fa2de03fb19dd26575a1c1fd877feffdc31d1fb01d45c06862d0d45761f1f57d81c9a7ce679d09c069b86ce8321a1ba0d365117fab317d8d5db7c6192b57cb87485fd23979885bba72db65fd3be3c544072b1fd6bd744e65bf716db77742db3fab36eb1fd8403af4b6fa5ddddf3e02dd7d3f2cfbb6d76481eee919fb5d76695d583746b86d336d3ef1d12ab48ddbc876bcedd3d9f3e301fd8eeeccb766ede6bfb0eedf7575e581cdf3ff1cb44f3f98975f61b8e273659eb2cb16702baadc1eea003239466c041274c6ab3be357b8543075f938bb8d811875e87a9ebc49a0f3884062a77161f38e070c8b24b5aeae10107987f175cbcbafc11d7873d0c47efef72e4bc67d390a7a1da21f9d486e147a1fb91cafb7b2c263cba53f0ded06181dc719f5b57941c1c78d88aab7e0b1d6048f2cb9dd9f3d39ec1e65cc18afbcfe0e1471c5071204403000216e9d8',4096,'2026-11-25T19:29:17.017Z',NULL,NULL);
INSERT INTO traces VALUES(2,8589934593,'{"points":10,"build_id":"83021e0185ab2647414fe9f9efd695f580bed57c"}','complete',NULL,801,'["t","m1.x","m1.v","m1.f","m1.energy","m2.x","m2.v","m2.energy","residual_power_W","m1.f_ext","m2.f_ext"]',10,X'789c636040061bec21f409287d054adf81d28fa0f43328fd0a4abf83d21fec6126fd3aebad18ff4fd4a1fb6e976fd01f0587a4ec637f0fce3db03fa4bf65e94d3385038bfefed44a17e339f0e9c9f96f2a6f8c1c169c08e3339964e790b0f549905daaaec3feddfb22aface370809816e9f048ff4597dded00078bf7197bfeb9eb1d981568e06c7433fcc0df7d3f8fcff5773cb03ab95543f546a2c3fffdc2ba3fd3521d7e2cbbf0a656ddfc8066de538593f7d30e34eeff14c73537ed00cc7d99ee0e7c0f76743874fd5ab0ec9650bb8358f1c6ab22770a0f302c8877d9265275a08ff9e35979bfba032e61875567b74d73b85f5f92662eb0dce1eea57f7a27174d74787921e9dd7e913a88fb3a363bf0ac776beedeb8d5e1e8e21d65964c2b1d2e6d5db1223c6eb3c31b5d4edd4952731cfc7fac32f40f3ce6f0ce7895f80fd35b0ed5ca46d3ca373c7778fe71d63baf05d71daa36da49a7695c7480b96fe91deb26a1ed4c07a427ee3b35ffef3bfb33d7b9bef4c5b2397cfdbd37e4160fff81fdc90d75fc2f3edbd74d89287c5226e450ee7ed1b242f8a37d56df9d1399665c0e454dffc29eedfbbd1f1a7e071cd4aead7308f475b87be7c6bb508d9803b7f2cf966dd1f576987db867d5654d5707c37385f754f6071d8877ed350ae00c73d8f93f62f68509da0ef54dc92e39d7a30e301759663f3e2f7200e65f1699c41329e91b1d3477bef1df377b97c3cf6b491e2e9c5b1dbecb9c7bf8adf480c36ec72d2b5e31ad7148baec60d4927ac6c13799d9f7cfe1160759c54b1faeed3dea30a97c795bca96e970ff2a30c946ac655ce1d0a09b9f19b4a8dfa1c320e0dbd786050e37daaf5d99be77da81842bea334c9e2c7650e89c33f9a2c0a603b7c22cc45ff21d05a69b55bba4e4971d60c9925b60367f0edc3ca28043bf03513415cd0300bf123b40',4096,'2026-11-25T19:29:17.112Z',NULL,NULL);
CREATE TABLE recommendations (
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  rule TEXT NOT NULL CHECK (rule <> ''),
  configuration_id INTEGER,
  macro_step_s REAL,
  bend_s REAL,
  cliff_s REAL,
  relative_residual REAL,
  confidence REAL,
  reason TEXT,
  recommendation TEXT CHECK (recommendation IS NULL OR json_valid(recommendation)), reasons TEXT
  CHECK (reasons IS NULL OR json_valid(reasons)), sentence TEXT, nrmse REAL, error_test TEXT, stability_limit_s REAL, growth_per_s REAL, verdict TEXT
  CHECK (verdict IN ('verified', 'unverified')), accuracy REAL,
  PRIMARY KEY (search_id, rule),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO recommendations VALUES('3f8839a81178b25f','max_min',0,0.0028600000000000001289,NULL,NULL,0.14183910022038939691,NULL,'of all configurations it stays stable up to the largest macro-step tried in every test that counts; limited at 2.86 ms by: step','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00286,"verified":true,"macro_step_verified_s":0.00286,"bend_s":null,"cliff_s":null,"stability_limit_s":null,"session_limit_s":0.00321044689325967,"growth":{"rate_per_s":0.14152560824091448,"uncertainty_per_s":0.0,"exact_rate_per_s":0.0,"doubles_every_s":4.897680279741481,"session_s":0.6,"over_session":1.0886249269682684,"verdict_by":"exact"},"relative_residual":0.1418391002203894,"error":{"nrmse":0.059682949023580956,"max":0.12406884724457304,"test":"step","reference":"matrix exponential"},"correction_gain":null,"rule":"max_min","confidence":null,"checks":[{"check":"growth","verdict":"agrees","value":0.1556646528748759,"limit":0.1588502996738749,"detail":"an oscillation that is not damped grows by 9.8 % in a session of 0.6 s (0.1557 ± 3.529e-13 per s), which is allowed"}],"warnings":["stable within a session alone: at every H tried some undamped oscillation grows; at this one it grows by 8.9 % in a session of 0.6 s; session_s sets how long a session is","the outputs are off by 6 % of their standard deviation in test step (NRMSE)","accuracy sets a limit on the error of the outputs","larger macro-steps keep no margin to the exact limit of stability, or exceed it, although their residual still lies on its line: step"],"notices":[{"code":"stable_within_session","severity":"warning","subject":"","numbers":{"rate_per_s":0.14152560824091448,"growth_share":0.08862492696826847,"session_s":0.6},"sentence":"stable within a session alone: at every H tried some undamped oscillation grows; at this one it grows by 8.9 % in a session of 0.6 s; session_s sets how long a session is"},{"code":"outputs_off","severity":"warning","subject":"step","numbers":{"relative_residual":0.1418391002203894,"nrmse":0.059682949023580956},"sentence":"the outputs are off by 6 % of their standard deviation in test step (NRMSE)"},{"code":"set_accuracy","severity":"info","subject":"","numbers":{},"sentence":"accuracy sets a limit on the error of the outputs"},{"code":"larger_steps_unstable","severity":"info","subject":"step","numbers":{},"sentence":"larger macro-steps keep no margin to the exact limit of stability, or exceed it, although their residual still lies on its line: step"}],"reason":"of all configurations it stays stable up to the largest macro-step tried in every test that counts; limited at 2.86 ms by: step","reasons":[{"code":"largest_stable_step","severity":"info","subject":"","numbers":{},"sentence":"of all configurations it stays stable up to the largest macro-step tried in every test that counts"},{"code":"limited_by_tests","severity":"info","subject":"step","numbers":{"macro_step_s":0.00286},"sentence":"limited at 2.86 ms by: step"}],"sentence":"Use zero-order extrapolation (hold) with H = 2.86 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step with a margin of 12 % at which undamped oscillations grow by no more than a tenth in a session of 0.6 s. That does not promise accuracy; at this H the relative residual is 14 % and the error of the outputs (NRMSE) 6 %.","ties":[]}',NULL,'Use zero-order extrapolation (hold) with H = 2.86 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step with a margin of 12 % at which undamped oscillations grow by no more than a tenth in a session of 0.6 s. That does not promise accuracy; at this H the relative residual is 14 % and the error of the outputs (NRMSE) 6 %.',0.05968294902358095566,'step',NULL,0.14152560824091447999,'verified',NULL);
INSERT INTO recommendations VALUES('3f8839a81178b25f','paper',0,0.018626451492300001577,NULL,NULL,0.88538701758085280868,NULL,'the smallest row of the table, that of test step','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.0186264514923,"verified":false,"macro_step_verified_s":0.00286,"bend_s":null,"cliff_s":null,"stability_limit_s":null,"session_limit_s":0.00321044689325967,"growth":{"rate_per_s":0.9062827905656765,"uncertainty_per_s":0.0,"exact_rate_per_s":0.0,"doubles_every_s":0.7648243879013769,"session_s":0.6,"over_session":1.7224878571648996,"verdict_by":"exact"},"relative_residual":0.8853870175808528,"error":null,"correction_gain":null,"rule":"paper","confidence":null,"checks":[],"warnings":["not verified at this H: of its configuration, 2.86 ms is","by the exact analysis this H is unstable: some motion doubles every 0.7648 s","not accurate: the residual is 89 % of the energy that the coupling transmits in test step; expect outputs that are far off; choose a smaller H for results","accuracy sets a limit on the error of the outputs","larger macro-steps keep no margin to the exact limit of stability, or exceed it, although their residual still lies on its line: step"],"notices":[{"code":"smaller_step_verified","severity":"warning","subject":"","numbers":{"macro_step_s":0.00286},"sentence":"not verified at this H: of its configuration, 2.86 ms is"},{"code":"unstable_by_exact_analysis","severity":"error","subject":"","numbers":{"rate_per_s":0.9062827905656765,"doubles_every_s":0.7648243879013769},"sentence":"by the exact analysis this H is unstable: some motion doubles every 0.7648 s"},{"code":"residual_not_accurate","severity":"warning","subject":"step","numbers":{"relative_residual":0.8853870175808528},"sentence":"not accurate: the residual is 89 % of the energy that the coupling transmits in test step; expect outputs that are far off; choose a smaller H for results"},{"code":"set_accuracy","severity":"info","subject":"","numbers":{},"sentence":"accuracy sets a limit on the error of the outputs"},{"code":"larger_steps_unstable","severity":"info","subject":"step","numbers":{},"sentence":"larger macro-steps keep no margin to the exact limit of stability, or exceed it, although their residual still lies on its line: step"}],"reason":"the smallest row of the table, that of test step","reasons":[{"code":"smallest_row","severity":"info","subject":"step","numbers":{},"sentence":"the smallest row of the table, that of test step"}],"sentence":"The rule of Rahikainen, González and Naya (2019) gives zero-order extrapolation (hold) with H = 18.6 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the smallest row of the table, that of test step. This H is not verified, 2.86 ms is.","ties":[]}',NULL,'The rule of Rahikainen, González and Naya (2019) gives zero-order extrapolation (hold) with H = 18.6 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the smallest row of the table, that of test step. This H is not verified, 2.86 ms is.',NULL,NULL,NULL,0.90628279056567651039,'unverified',NULL);
INSERT INTO recommendations VALUES('7f9f51076628d42d','max_min',0,0.0015000000000000000312,0.0020000000000000000416,0.0035000000000000000728,0.021021823758048667485,NULL,'of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 1.5 ms by: step; (extrapolation 2, hydraulics forward_euler, mechanics i1al) with H = 2.5 ms does not stand the check of swing (9.701, at most 2 is allowed; at 1.25 H: the largest in random joystick, against a quarter of H), nor do 2 more runs','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none","macro_step_s":0.0015,"bend_s":0.002,"cliff_s":0.0035,"stability_limit_s":null,"relative_residual":0.021021823758048667,"error":{"nrmse":0.2684880972557938,"max":1.962657749028799,"test":"step","reference":"CVODE BDF"},"correction_gain":null,"rule":"max_min","confidence":null,"checks":[{"check":"growth","verdict":"unknown","value":null,"limit":1.1,"detail":"the outputs do not follow a linear model, which is off by 22 % of how far they move"},{"check":"swing","verdict":"agrees","value":1.7631805565046639,"limit":2.0,"detail":"at 1.25 H: the largest in fast random joystick, against a quarter of H"}],"warnings":["stable but not accurate: the outputs are off by 27 % of their standard deviation in test step (NRMSE); choose a smaller H for results; accuracy sets a limit","larger macro-steps do not stand their checks, although still linear: step","there is no confidence, as the trust study (engine/README.md, \"How often is it wrong?\") does not cover: tests that are fewer, shorter or weaker than the usual ones (step of 1 s, ramp of 1 s, impulse of 1 s, sine of 0.01429 s are missing: add them, or give the job no tests)"],"reason":"of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 1.5 ms by: step; (extrapolation 2, hydraulics forward_euler, mechanics i1al) with H = 2.5 ms does not stand the check of swing (9.701, at most 2 is allowed; at 1.25 H: the largest in random joystick, against a quarter of H), nor do 2 more runs","sentence":"Use first-order extrapolation with H = 1.5 ms, I1AL for mechanics and forward Euler for hydraulics: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 2.1 % and the error of the outputs (NRMSE) 27 %.","ties":[{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"}],"notices":[{"code":"outputs_not_accurate","severity":"warning","subject":"","numbers":{},"sentence":"stable but not accurate: the outputs are off by 27 % of their standard deviation in test step (NRMSE); choose a smaller H for results; accuracy sets a limit"},{"code":"larger_steps_fail_checks","severity":"info","subject":"","numbers":{},"sentence":"larger macro-steps do not stand their checks, although still linear: step"},{"code":"no_confidence_outside_study","severity":"info","subject":"","numbers":{},"sentence":"there is no confidence, as the trust study (engine/README.md, \"How often is it wrong?\") does not cover: tests that are fewer, shorter or weaker than the usual ones (step of 1 s, ramp of 1 s, impulse of 1 s, sine of 0.01429 s are missing: add them, or give the job no tests)"}]}',NULL,'Use first-order extrapolation with H = 1.5 ms, I1AL for mechanics and forward Euler for hydraulics: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 2.1 % and the error of the outputs (NRMSE) 27 %.',0.26848809725579381169,'step',NULL,NULL,'unverified',NULL);
INSERT INTO recommendations VALUES('7f9f51076628d42d','paper',0,0.0015000000000000000312,0.0020000000000000000416,0.0035000000000000000728,0.021021823758048667485,NULL,'the smallest row of the table, that of test step','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none","macro_step_s":0.0015,"bend_s":0.002,"cliff_s":0.0035,"stability_limit_s":null,"relative_residual":0.021021823758048667,"error":null,"correction_gain":null,"rule":"paper","confidence":null,"checks":[{"check":"growth","verdict":"unknown","value":null,"limit":1.1,"detail":"the outputs do not follow a linear model, which is off by 22 % of how far they move"},{"check":"swing","verdict":"agrees","value":1.7631805565046639,"limit":2.0,"detail":"at 1.25 H: the largest in fast random joystick, against a quarter of H"}],"warnings":["the residual is 2.1 % of the energy that the coupling transmits in test step: expect clear errors of the outputs; accuracy sets a limit","larger macro-steps do not stand their checks, although still linear: step","there is no confidence, as the trust study (engine/README.md, \"How often is it wrong?\") does not cover: tests that are fewer, shorter or weaker than the usual ones (step of 1 s, ramp of 1 s, impulse of 1 s, sine of 0.01429 s are missing: add them, or give the job no tests)"],"reason":"the smallest row of the table, that of test step","sentence":"Use first-order extrapolation with H = 1.5 ms, I1AL for mechanics and forward Euler for hydraulics: the smallest row of the table, that of test step.","ties":[{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"}],"notices":[{"code":"residual_notable","severity":"warning","subject":"","numbers":{},"sentence":"the residual is 2.1 % of the energy that the coupling transmits in test step: expect clear errors of the outputs; accuracy sets a limit"},{"code":"larger_steps_fail_checks","severity":"info","subject":"","numbers":{},"sentence":"larger macro-steps do not stand their checks, although still linear: step"},{"code":"no_confidence_outside_study","severity":"info","subject":"","numbers":{},"sentence":"there is no confidence, as the trust study (engine/README.md, \"How often is it wrong?\") does not cover: tests that are fewer, shorter or weaker than the usual ones (step of 1 s, ramp of 1 s, impulse of 1 s, sine of 0.01429 s are missing: add them, or give the job no tests)"}]}',NULL,'Use first-order extrapolation with H = 1.5 ms, I1AL for mechanics and forward Euler for hydraulics: the smallest row of the table, that of test step.',NULL,NULL,NULL,NULL,'unverified',NULL);
INSERT INTO recommendations VALUES('aa73daba1536b485','max_min',1,0.011641532182700000536,0.014551915228400000637,NULL,0.12653036495826741614,NULL,'of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 11.6 ms by: step','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.0116415321827,"bend_s":0.0145519152284,"cliff_s":null,"stability_limit_s":0.011914380593234377,"relative_residual":0.12653036495826742,"error":{"nrmse":0.15059339125550336,"max":0.4753545117275447,"test":"step","reference":"matrix exponential"},"correction_gain":null,"rule":"max_min","confidence":null,"checks":[{"check":"growth","verdict":"agrees","value":1.0928779074652226,"limit":1.1,"detail":""}],"warnings":["the outputs are off by 15 % of their standard deviation in test step (NRMSE); accuracy sets a limit","little margin: by the exact analysis it is unstable beyond 11.9 ms, only 1.023 times H; take a smaller H where the rig may differ from the model","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: step","there is no confidence, as the trust study (engine/README.md, \"How often is it wrong?\") does not cover: tests that are fewer, shorter or weaker than the usual ones (step of 2 s, ramp of 2 s, impulse of 2 s, sine of 2 s are missing: add them, or give the job no tests)"],"reason":"of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 11.6 ms by: step","sentence":"Use first-order extrapolation with H = 11.6 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 13 % and the error of the outputs (NRMSE) 15 %.","ties":[],"notices":[{"code":"outputs_off","severity":"warning","subject":"","numbers":{},"sentence":"the outputs are off by 15 % of their standard deviation in test step (NRMSE); accuracy sets a limit"},{"code":"little_margin","severity":"warning","subject":"","numbers":{},"sentence":"little margin: by the exact analysis it is unstable beyond 11.9 ms, only 1.023 times H; take a smaller H where the rig may differ from the model"},{"code":"larger_steps_unstable","severity":"info","subject":"","numbers":{},"sentence":"larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: step"},{"code":"no_confidence_outside_study","severity":"info","subject":"","numbers":{},"sentence":"there is no confidence, as the trust study (engine/README.md, \"How often is it wrong?\") does not cover: tests that are fewer, shorter or weaker than the usual ones (step of 2 s, ramp of 2 s, impulse of 2 s, sine of 2 s are missing: add them, or give the job no tests)"}]}',NULL,'Use first-order extrapolation with H = 11.6 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 13 % and the error of the outputs (NRMSE) 15 %.',0.15059339125550336158,'step',0.011914380593234377009,NULL,'unverified',NULL);
INSERT INTO recommendations VALUES('aa73daba1536b485','paper',1,0.011641532182700000536,0.014551915228400000637,NULL,0.12653036495826741614,NULL,'the smallest row of the table, that of test step','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.0116415321827,"bend_s":0.0145519152284,"cliff_s":null,"stability_limit_s":0.011914380593234377,"relative_residual":0.12653036495826742,"error":null,"correction_gain":null,"rule":"paper","confidence":null,"checks":[{"check":"growth","verdict":"agrees","value":1.0928779074652226,"limit":1.1,"detail":""}],"warnings":["stable but not accurate: the residual is 13 % of the energy that the coupling transmits in test step; expect outputs that are far off; choose a smaller H for results; accuracy sets a limit","little margin: by the exact analysis it is unstable beyond 11.9 ms, only 1.023 times H; take a smaller H where the rig may differ from the model","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: step","there is no confidence, as the trust study (engine/README.md, \"How often is it wrong?\") does not cover: tests that are fewer, shorter or weaker than the usual ones (step of 2 s, ramp of 2 s, impulse of 2 s, sine of 2 s are missing: add them, or give the job no tests)"],"reason":"the smallest row of the table, that of test step","sentence":"Use first-order extrapolation with H = 11.6 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the smallest row of the table, that of test step.","ties":[],"notices":[{"code":"residual_not_accurate","severity":"warning","subject":"","numbers":{},"sentence":"stable but not accurate: the residual is 13 % of the energy that the coupling transmits in test step; expect outputs that are far off; choose a smaller H for results; accuracy sets a limit"},{"code":"little_margin","severity":"warning","subject":"","numbers":{},"sentence":"little margin: by the exact analysis it is unstable beyond 11.9 ms, only 1.023 times H; take a smaller H where the rig may differ from the model"},{"code":"larger_steps_unstable","severity":"info","subject":"","numbers":{},"sentence":"larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: step"},{"code":"no_confidence_outside_study","severity":"info","subject":"","numbers":{},"sentence":"there is no confidence, as the trust study (engine/README.md, \"How often is it wrong?\") does not cover: tests that are fewer, shorter or weaker than the usual ones (step of 2 s, ramp of 2 s, impulse of 2 s, sine of 2 s are missing: add them, or give the job no tests)"}]}',NULL,'Use first-order extrapolation with H = 11.6 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the smallest row of the table, that of test step.',NULL,NULL,0.011914380593234377009,NULL,'unverified',NULL);
INSERT INTO recommendations VALUES('acc300408dce0a7b','max_min',NULL,NULL,NULL,NULL,NULL,NULL,'no H that was tried keeps the relative residual within 1e-12 in: step; ask for less; make macro_step.initial_s smaller for a finer scan',NULL,'[{"code":"residual_limit_not_reached","severity":"error","subject":"step","numbers":{"relative_residual_max":1e-12},"sentence":"no H that was tried keeps the relative residual within 1e-12 in: step; ask for less"},{"code":"lower_first_macro_step","severity":"info","subject":"","numbers":{},"sentence":"make macro_step.initial_s smaller for a finer scan"}]',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO recommendations VALUES('acc300408dce0a7b','paper',NULL,NULL,NULL,NULL,NULL,NULL,'no H that was tried keeps the relative residual within 1e-12 in: step; ask for less; make macro_step.initial_s smaller for a finer scan',NULL,'[{"code":"residual_limit_not_reached","severity":"error","subject":"step","numbers":{"relative_residual_max":1e-12},"sentence":"no H that was tried keeps the relative residual within 1e-12 in: step; ask for less"},{"code":"lower_first_macro_step","severity":"info","subject":"","numbers":{},"sentence":"make macro_step.initial_s smaller for a finer scan"}]',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE idempotency_keys (
  idempotency_key TEXT NOT NULL PRIMARY KEY CHECK (idempotency_key <> ''),
  search_id TEXT NOT NULL UNIQUE REFERENCES searches ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TABLE analyses (
  id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
  kind TEXT NOT NULL CHECK (kind <> ''),
  name TEXT NOT NULL,
  problem TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted')),
  created_at TEXT NOT NULL CHECK (created_at GLOB '20??-??-??T??:??:??.???Z'),
  started_at TEXT CHECK (started_at GLOB '20??-??-??T??:??:??.???Z'),
  finished_at TEXT CHECK (finished_at GLOB '20??-??-??T??:??:??.???Z'),
  reason TEXT,
  points_done INTEGER NOT NULL DEFAULT 0,
  points_total INTEGER NOT NULL DEFAULT 0,
  wall_s REAL
) STRICT;
INSERT INTO analyses VALUES('95b4ebc756a64e1e','map','small map','stiff_oscillator','succeeded','2026-11-25T19:29:17.619Z','2026-11-25T19:29:17.643Z','2026-11-25T19:29:17.676Z',NULL,4,4,0.00039668000000000000352);
CREATE TABLE analysis_documents (
  analysis_id TEXT NOT NULL PRIMARY KEY REFERENCES analyses ON DELETE CASCADE,
  job TEXT NOT NULL CHECK (json_valid(job)),
  plan TEXT NOT NULL CHECK (json_valid(plan)),
  result TEXT CHECK (result IS NULL OR json_valid(result))
) STRICT;
INSERT INTO analysis_documents VALUES('95b4ebc756a64e1e','{"kind":"map","map":{"macro_steps_s":[0.001],"x":{"count":2,"maximum":1000000.0,"minimum":1,"parameter":"coupling.c_k"},"y":{"count":2,"maximum":1000000.0,"minimum":1,"parameter":"coupling.d_k"}},"name":"small map","problem":"stiff_oscillator","search":{"couplings":["force_displacement"],"extrapolation":["0"]}}','{"kind":"map","name":"small map","problem":"stiff_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["0"],"integrators":{"coupling":["exact"],"m1":["exact"],"m2":["exact"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":2e-05,"increment_s":2e-05,"maximum_s":0.01},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":null,"accuracy":null,"stability_check":"all","validate_unseen":false,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"none","kind":"none","duration_s":0.3},{"name":"step","kind":"step","duration_s":0.3},{"name":"ramp","kind":"ramp","duration_s":0.3},{"name":"impulse","kind":"impulse","width_s":0.12,"duration_s":0.3},{"name":"sine_50hz","kind":"sine","frequency_hz":50.0,"periods":15.0}],"map":{"x":{"parameter":"coupling.c_k","minimum":1.0,"maximum":1000000.0,"count":2,"scale":"log"},"y":{"parameter":"coupling.d_k","minimum":1.0,"maximum":1000000.0,"count":2,"scale":"log"},"macro_steps_s":[0.001],"quantity":"stability","error_max":0.01,"test":"none"}}','{"problem":"stiff_oscillator","quantity":"stability","limit":1.000000001,"test":null,"x":{"parameter":"coupling.c_k","unit":"N/m","scale":"log","values":[1.0,1000000.0]},"y":{"parameter":"coupling.d_k","unit":"N s/m","scale":"log","values":[1.0,1000000.0]},"macro_steps_s":[0.001],"configurations":[{"label":"extrapolation 0","configuration":{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"exact","m2":"exact"},"substeps":{},"correction":"none"},"layers":[{"macro_step_s":0.001,"points_within_limit":1,"points_without_value":[]}],"largest_macro_step_s":[[0.001,null],[null,null]]}]}');
CREATE TABLE map_axes (
  analysis_id TEXT NOT NULL REFERENCES analyses ON DELETE CASCADE,
  axis TEXT NOT NULL CHECK (axis IN ('x', 'y')),
  position INTEGER NOT NULL CHECK (position >= 0),
  parameter TEXT NOT NULL,
  unit TEXT NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (analysis_id, axis, position)
) STRICT, WITHOUT ROWID;
INSERT INTO map_axes VALUES('95b4ebc756a64e1e','x',0,'coupling.c_k','N/m',1.0);
INSERT INTO map_axes VALUES('95b4ebc756a64e1e','x',1,'coupling.c_k','N/m',1000000.0);
INSERT INTO map_axes VALUES('95b4ebc756a64e1e','y',0,'coupling.d_k','N s/m',1.0);
INSERT INTO map_axes VALUES('95b4ebc756a64e1e','y',1,'coupling.d_k','N s/m',1000000.0);
CREATE TABLE map_layers (
  analysis_id TEXT NOT NULL REFERENCES analyses ON DELETE CASCADE,
  layer INTEGER NOT NULL CHECK (layer >= 0),
  configuration_id INTEGER NOT NULL,
  coupling TEXT NOT NULL,
  scheme TEXT NOT NULL,
  extrapolation TEXT NOT NULL,
  integrators TEXT NOT NULL CHECK (json_valid(integrators)),
  correction TEXT NOT NULL,
  configuration TEXT NOT NULL CHECK (json_valid(configuration)),
  macro_step_s REAL NOT NULL CHECK (macro_step_s > 0),
  quantity TEXT NOT NULL,
  value_limit REAL NOT NULL,
  columns INTEGER NOT NULL CHECK (columns > 0),
  point_values TEXT NOT NULL CHECK (json_valid(point_values)),
  PRIMARY KEY (analysis_id, layer)
) STRICT;
INSERT INTO map_layers VALUES('95b4ebc756a64e1e',0,0,'force_displacement','jacobi','0','{"coupling":"exact","m1":"exact","m2":"exact"}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"exact","m2":"exact"},"substeps":{},"correction":"none"}',0.0010000000000000000208,'stability',1.0000000010000000827,2,'[0.9999057700146141,1.060116500736175,1.4034473253119828,1.4034445827441246]');
CREATE TABLE fmus (
  sha256 TEXT NOT NULL PRIMARY KEY CHECK (length(sha256) = 64),
  file_name TEXT NOT NULL,
  model_name TEXT NOT NULL,
  fmi_version TEXT NOT NULL,
  interfaces TEXT NOT NULL CHECK (json_valid(interfaces)),
  size_bytes INTEGER NOT NULL CHECK (size_bytes > 0),
  uploaded_at TEXT NOT NULL CHECK (uploaded_at GLOB '20??-??-??T??:??:??.???Z')
) STRICT;
INSERT INTO fmus VALUES('3877f5b16a35431ca47fb78cd8d032a697c96661f1fc025b44a2d5910aaebcc7','linear_oscillator.m1','linear_oscillator.m1','2.0','["co_simulation","model_exchange"]',1287177,'2026-11-25T19:29:17.592Z');
CREATE TABLE search_tags (
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  tag TEXT NOT NULL CHECK (tag <> ''),
  created_at TEXT NOT NULL,
  PRIMARY KEY (search_id, tag)
) STRICT, WITHOUT ROWID;
INSERT INTO search_tags VALUES('7f9f51076628d42d','kept','2026-11-25T19:28:57.635Z');
INSERT INTO search_tags VALUES('7f9f51076628d42d','rig 2','2026-11-25T19:28:57.635Z');
CREATE TABLE analysis_idempotency_keys (
  idempotency_key TEXT NOT NULL PRIMARY KEY CHECK (idempotency_key <> ''),
  analysis_id TEXT NOT NULL UNIQUE REFERENCES analyses ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TABLE search_counts (
  what TEXT NOT NULL PRIMARY KEY,
  searches INTEGER NOT NULL
) STRICT;
INSERT INTO search_counts VALUES('disposable',3);
CREATE TABLE step_times (
  search_id TEXT NOT NULL,
  configuration_id INTEGER NOT NULL,
  macro_step_s REAL NOT NULL CHECK (macro_step_s > 0),
  macro_steps INTEGER NOT NULL CHECK (macro_steps > 0),
  median_s REAL NOT NULL,
  p999_s REAL NOT NULL,
  worst_s REAL NOT NULL,
  PRIMARY KEY (search_id, configuration_id, macro_step_s),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO step_times VALUES('3f8839a81178b25f',0,0.0020000000000000000416,5000,1.100000000000000056e-07,2.8999999999999997628e-07,6.0100000000000004798e-07);
INSERT INTO step_times VALUES('3f8839a81178b25f',0,0.002500000000000000052,4000,1.100000000000000056e-07,2.9999999999999998642e-07,5.2049000000000002598e-05);
INSERT INTO step_times VALUES('3f8839a81178b25f',0,0.0028600000000000001289,3500,1.100000000000000056e-07,3.5100000000000000635e-07,6.7496999999999994284e-05);
INSERT INTO step_times VALUES('3f8839a81178b25f',0,0.018626451492300001577,540,1.1100000000000000132e-07,1.9000000000000000726e-07,1.9000000000000000726e-07);
INSERT INTO step_times VALUES('7f9f51076628d42d',0,0.0005000000000000000104,5000,2.5100000000000001086e-07,4.1100000000000001419e-07,7.5099999999999998831e-07);
INSERT INTO step_times VALUES('7f9f51076628d42d',0,0.0010000000000000000208,5000,3.0999999999999999656e-07,5.0100000000000005249e-07,0.076061662000000002104);
INSERT INTO step_times VALUES('7f9f51076628d42d',0,0.0015000000000000000312,5000,3.900000000000000247e-07,8.0100000000000003887e-07,2.4629999999999999658e-06);
INSERT INTO step_times VALUES('7f9f51076628d42d',1,0.0005000000000000000104,5000,2.5999999999999999882e-07,6.1999999999999999313e-07,0.036061615999999997728);
INSERT INTO step_times VALUES('7f9f51076628d42d',1,0.0010000000000000000208,5000,3.1100000000000001874e-07,4.6100000000000001193e-07,7.7100000000000000846e-07);
INSERT INTO step_times VALUES('7f9f51076628d42d',1,0.0015000000000000000312,5000,4.4999999999999997961e-07,7.5099999999999998831e-07,0.052056822000000002592);
INSERT INTO step_times VALUES('aa73daba1536b485',0,0.0010000000000000000208,5000,8.0000000000000001674e-08,1.4999999999999999321e-07,3.8099999999999998383e-07);
INSERT INTO step_times VALUES('aa73daba1536b485',0,0.001250000000000000026,5000,8.0000000000000001674e-08,1.2999999999999999941e-07,1.4100000000000000526e-07);
INSERT INTO step_times VALUES('aa73daba1536b485',0,0.0015625000000000000867,5000,8.0000000000000001674e-08,1.4000000000000000954e-07,2.9099999999999999846e-07);
INSERT INTO step_times VALUES('aa73daba1536b485',1,0.0010000000000000000208,5000,8.0000000000000001674e-08,1.2999999999999999941e-07,1.710000000000000092e-07);
INSERT INTO step_times VALUES('aa73daba1536b485',1,0.001953125,5000,8.0000000000000001674e-08,2.4100000000000000072e-07,0.080041306000000006504);
INSERT INTO step_times VALUES('aa73daba1536b485',1,0.0038146972656200000932,5000,8.0000000000000001674e-08,1.3099999999999999513e-07,2.8099999999999998832e-07);
INSERT INTO step_times VALUES('aa73daba1536b485',1,0.005960464477540000118,3360,8.0000000000000001674e-08,1.2999999999999999941e-07,1.5099999999999998892e-07);
INSERT INTO step_times VALUES('aa73daba1536b485',1,0.011641532182700000536,1720,8.0000000000000001674e-08,1.6000000000000000333e-07,2.109999999999999968e-07);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('events',22);
CREATE INDEX searches_by_age ON searches (created_at, id);
CREATE INDEX searches_by_status ON searches (status, created_at, id);
CREATE INDEX searches_by_problem ON searches (problem, created_at, id);
CREATE UNIQUE INDEX searches_by_number ON searches (number);
CREATE INDEX events_by_search ON events (search_id, sequence);
CREATE INDEX curves_by_configuration ON curves (search_id, configuration_id);
CREATE INDEX recommendations_by_configuration ON recommendations (search_id, configuration_id);
CREATE INDEX analyses_by_age ON analyses (created_at, id);
CREATE INDEX analyses_by_status ON analyses (status, created_at, id);
CREATE VIEW v_map_points AS
SELECT l.analysis_id, a.name AS analysis_name, a.problem, l.configuration_id,
       l.coupling, l.scheme, l.extrapolation, l.integrators, l.correction,
       x.parameter AS x_parameter, x.value AS x_value, x.unit AS x_unit,
       y.parameter AS y_parameter, y.value AS y_value, y.unit AS y_unit,
       l.macro_step_s, l.quantity,
       CASE WHEN p.type <> 'text' THEN p.value END AS value,
       CASE WHEN p.type <> 'text' THEN p.value <= l.value_limit END AS within_limit,
       CASE WHEN p.type = 'text' THEN p.value END AS reason,
       l.configuration
FROM map_layers AS l
JOIN analyses AS a ON a.id = l.analysis_id
CROSS JOIN json_each(l.point_values) AS p
CROSS JOIN map_axes AS x ON x.analysis_id = l.analysis_id AND x.axis = 'x'
  AND x.position = p.key % l.columns
CROSS JOIN map_axes AS y ON y.analysis_id = l.analysis_id AND y.axis = 'y'
  AND y.position = p.key / l.columns;
CREATE INDEX fmus_by_age ON fmus (uploaded_at, sha256);
CREATE INDEX fmus_by_file_name ON fmus (file_name);
CREATE INDEX fmus_by_model_name ON fmus (model_name);
CREATE VIEW v_fmus AS
SELECT sha256, file_name, model_name, fmi_version, interfaces, size_bytes, uploaded_at FROM fmus;
CREATE TRIGGER searches_inserted AFTER INSERT ON searches BEGIN
  UPDATE searches SET name_key = lower(NEW.name), end_key = ifnull(NEW.finished_at, '~')
  WHERE id = NEW.id;
END;
CREATE TRIGGER searches_updated AFTER UPDATE OF name, finished_at ON searches BEGIN
  UPDATE searches SET name_key = lower(NEW.name), end_key = ifnull(NEW.finished_at, '~')
  WHERE id = NEW.id;
END;
CREATE INDEX searches_by_name ON searches (name_key, id);
CREATE INDEX searches_by_end ON searches (end_key, id);
CREATE INDEX search_tags_by_tag ON search_tags (tag, created_at, search_id);
CREATE VIEW v_searches AS
SELECT s.id AS search_id, s.name AS search_name, s.problem, s.status, s.created_at, s.started_at,
       s.finished_at, s.note,
       (SELECT json_group_array(t.tag) FROM search_tags AS t WHERE t.search_id = s.id) AS tags,
       s.priority, s.trials_done AS trials, s.cost_rhs_evaluations AS rhs_evaluations,
       s.cost_wall_s AS wall_s, s.reason
FROM searches AS s;
CREATE INDEX searches_disposable ON searches (end_key, id) WHERE tagged = 0 AND end_key < '~';
CREATE TRIGGER search_tags_inserted AFTER INSERT ON search_tags BEGIN
  UPDATE searches SET tagged = 1 WHERE id = NEW.search_id AND tagged = 0;
END;
CREATE TRIGGER search_tags_deleted AFTER DELETE ON search_tags BEGIN
  UPDATE searches SET tagged = 0 WHERE id = OLD.search_id
    AND NOT EXISTS (SELECT 1 FROM search_tags WHERE search_id = OLD.search_id);
END;
CREATE TRIGGER searches_counted AFTER UPDATE OF tagged, end_key ON searches
WHEN (OLD.tagged = 0 AND OLD.end_key < '~') <> (NEW.tagged = 0 AND NEW.end_key < '~') BEGIN
  UPDATE search_counts
  SET searches = searches + iif(NEW.tagged = 0 AND NEW.end_key < '~', 1, -1)
  WHERE what = 'disposable';
END;
CREATE TRIGGER searches_deleted AFTER DELETE ON searches
WHEN OLD.tagged = 0 AND OLD.end_key < '~' BEGIN
  UPDATE search_counts SET searches = searches - 1 WHERE what = 'disposable';
END;
CREATE VIEW v_step_times AS
SELECT search_id, configuration_id, macro_step_s, macro_steps, median_s, p999_s, worst_s
FROM step_times;
CREATE INDEX traces_by_use ON traces (used_at, id, size_bytes);
CREATE TRIGGER searches_trials_deleted AFTER DELETE ON searches BEGIN
  DELETE FROM trials WHERE id >= OLD.number << 32 AND id < (OLD.number + 1) << 32;
END;
CREATE VIEW v_trials AS
SELECT s.id AS search_id, t.id & 4294967295 AS trial_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.status, t.reason, t.residual_J, t.startup_residual_J, t.relative_residual,
       t.nrmse, t.macro_steps, t.rhs_evaluations, t.wall_s,
       k.configuration_id, c.substeps, c.subsystem_order
FROM searches AS s
CROSS JOIN trials AS t ON t.id >= s.number << 32 AND t.id < (s.number + 1) << 32
JOIN curves AS k ON k.search_id = s.id AND k.curve_id = t.curve_id
JOIN configurations AS c ON c.search_id = s.id AND c.configuration_id = k.configuration_id;
CREATE VIEW v_traces AS
SELECT s.id AS search_id, r.trial & 4294967295 AS trial_id, t.curve_id, k.test, t.macro_step_s,
       r.request, r.status, r.reason, r.points_total, r.columns, r.rows, r.series, r.reference,
       r.reference_reason
FROM searches AS s
CROSS JOIN traces AS r ON r.trial >= s.number << 32 AND r.trial < (s.number + 1) << 32
JOIN trials AS t ON t.id = r.trial
JOIN curves AS k ON k.search_id = s.id AND k.curve_id = t.curve_id;
CREATE VIEW v_indicators AS
WITH trial AS NOT MATERIALIZED (
  SELECT s.id AS search_id, t.id & 4294967295 AS trial_id, t.curve_id, k.configuration_id, k.test,
         t.macro_step_s, t.status, t.residual_J, t.startup_residual_J, t.relative_residual,
         t.transmitted_J, t.bond_residuals_J, t.nrmse, t.macro_steps, t.rhs_evaluations, t.cost,
         t.wall_s
  FROM searches AS s
  CROSS JOIN trials AS t ON t.id >= s.number << 32 AND t.id < (s.number + 1) << 32
  JOIN curves AS k ON k.search_id = s.id AND k.curve_id = t.curve_id)
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'residual_energy' AS indicator, NULL AS power_bond, residual_J AS value, 'J' AS unit
FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'startup_residual_energy', NULL, startup_residual_J, 'J' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'bond_residual_energy', b.key, CAST(b.value AS REAL), 'J'
FROM trial CROSS JOIN json_each(bond_residuals_J) AS b
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'relative_residual', NULL, relative_residual, '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'transmitted_energy', NULL, transmitted_J, 'J' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'nrmse', NULL, nrmse, '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'macro_steps', NULL, CAST(macro_steps AS REAL), '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'rhs_evaluations', NULL, CAST(rhs_evaluations AS REAL), '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'weighted_rhs_evaluations', NULL, cost, '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'wall_time', NULL, wall_s, 's' FROM trial;
CREATE VIEW v_notices AS
SELECT r.search_id, s.name AS search_name, r.rule, n.value ->> '$.code' AS code,
       n.value ->> '$.severity' AS severity, n.value ->> '$.subject' AS subject,
       n.value ->> '$.check' AS check_name, n.value -> '$.numbers' AS numbers,
       n.value -> '$.causes' AS causes, n.value ->> '$.detail' AS detail,
       n.value ->> '$.sentence' AS sentence
FROM recommendations AS r
JOIN searches AS s ON s.id = r.search_id
CROSS JOIN json_each(r.recommendation, '$.notices') AS n;
CREATE VIEW v_reasons AS
SELECT r.search_id, s.name AS search_name, r.rule, n.value ->> '$.code' AS code,
       n.value ->> '$.severity' AS severity, n.value ->> '$.subject' AS subject,
       n.value ->> '$.check' AS check_name, n.value -> '$.numbers' AS numbers,
       n.value -> '$.causes' AS causes, n.value ->> '$.detail' AS detail,
       n.value ->> '$.sentence' AS sentence
FROM recommendations AS r
JOIN searches AS s ON s.id = r.search_id
CROSS JOIN json_each(ifnull(r.recommendation -> '$.reasons', r.reasons)) AS n;
CREATE VIEW v_residual_curves AS
SELECT s.id AS search_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.residual_J, t.relative_residual, t.status,
       t.macro_step_s <= k.linear_up_to_s AS inside_linear_region,
       k.bend_s, k.cliff_s, k.flags, k.counts,
       k.configuration_id, c.substeps, c.subsystem_order, k.stability_limit_s, k.rejected_from_s,
       k.usable_s, k.limited_by
FROM searches AS s
CROSS JOIN trials AS t ON t.id >= s.number << 32 AND t.id < (s.number + 1) << 32
JOIN curves AS k ON k.search_id = s.id AND k.curve_id = t.curve_id
JOIN configurations AS c ON c.search_id = s.id AND c.configuration_id = k.configuration_id;
CREATE VIEW v_recommendations AS
SELECT r.search_id, s.name AS search_name, s.problem, s.finished_at, r.rule,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.substeps, c.correction,
       r.macro_step_s, r.bend_s, r.cliff_s, r.relative_residual, r.confidence, r.reason,
       r.recommendation -> '$.warnings' AS warnings, r.sentence, r.configuration_id,
       c.subsystem_order, r.nrmse, r.error_test, r.stability_limit_s, r.growth_per_s, r.verdict,
       r.accuracy
FROM recommendations AS r
JOIN searches AS s ON s.id = r.search_id
LEFT JOIN configurations AS c USING (search_id, configuration_id);
COMMIT;
PRAGMA application_id=1296257876;PRAGMA user_version=9;
