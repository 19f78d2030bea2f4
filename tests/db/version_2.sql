-- The search of version_1.sql as the store of schema version 2 brought it up to date, and two that it wrote: ended, with
-- a key and an order of the subsystems, and waiting.
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
  cost_wall_s REAL
) STRICT;
INSERT INTO searches VALUES('f752d8dfcfb485e6','old','single_actuator_crane','succeeded',1,'2026-11-20T19:18:28.829Z','2026-11-20T19:18:28.833Z','2026-11-20T19:18:28.849Z',NULL,'local_power_law',2,2,13,13,52410,0.0022789479999999998245);
INSERT INTO searches VALUES('filled','search filled','double_actuator_crane','succeeded',1,'2025-01-31T12:00:10.000Z','2025-01-31T12:00:01.000Z','2025-01-31T12:00:30.000Z',NULL,'local_power_law',4,4,12,12,240000,0.5);
INSERT INTO searches VALUES('waits','search waits','double_actuator_crane','queued',0,'2025-01-31T12:00:12.000Z',NULL,NULL,NULL,'local_power_law',0,4,0,NULL,NULL,NULL);
CREATE TABLE documents (
  search_id TEXT NOT NULL PRIMARY KEY REFERENCES searches ON DELETE CASCADE,
  provenance TEXT CHECK (provenance IS NULL OR json_valid(provenance)),
  result_table TEXT CHECK (result_table IS NULL OR json_valid(result_table)),
  job TEXT NOT NULL CHECK (json_valid(job)),
  plan TEXT NOT NULL CHECK (json_valid(plan))
) STRICT;
INSERT INTO documents VALUES('f752d8dfcfb485e6','{"version":"0.1.0","build_id":"d15698da7919d017b69414effb38c0dd3841d371","math_class":"0588345370f7f3f2"}','[{"test":"step","configurations":[{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"}],"macro_step_s":0.0025,"cliff_s":0.0045,"flags":[]},{"test":"sine_70hz","configurations":[{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"}],"macro_step_s":0.002,"cliff_s":null,"flags":["too_few_macro_steps"]}]','{"name":"old","problem":"single_actuator_crane","search":{"extrapolation":["2"],"integrators":{"hydraulics":["forward_euler"],"mechanics":["i1al"]},"macro_step":{"increment_s":0.001,"initial_s":0.001,"maximum_s":0.01}},"tests":[{"duration_s":0.5,"kind":"step"},{"frequency_hz":70,"kind":"sine","periods":1}]}','{"kind":"search","name":"old","problem":"single_actuator_crane","parameters":{},"micro_steps":{"hydraulics":0.0001},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"extrapolation":["2"],"integrators":{"hydraulics":["forward_euler"],"mechanics":["i1al"]},"corrections":["none"],"correction_parameters":{},"macro_step":{"initial_s":0.001,"increment_s":0.001,"maximum_s":0.01},"allowed_macro_steps_s":null,"linear_region":{"rule":"local_power_law","tolerance":0.35,"points":5,"scan":"arithmetic","ratio":1.25},"relative_residual_max":null,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"step","kind":"step","duration_s":0.5},{"name":"sine_70hz","kind":"sine","frequency_hz":70.0,"periods":1.0}]}');
INSERT INTO documents VALUES('filled','{"version":"0.1.0"}','[{"test":"step","macro_step_s":0.0018}]','{"problem":"double_actuator_crane"}','{"tests":[]}');
INSERT INTO documents VALUES('waits','{"version":"0.1.0"}',NULL,'{"problem":"double_actuator_crane"}','{"tests":[]}');
CREATE TABLE configurations (
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  configuration_id INTEGER NOT NULL CHECK (configuration_id >= 0),
  coupling TEXT NOT NULL,
  scheme TEXT NOT NULL,
  extrapolation TEXT NOT NULL,
  integrators TEXT NOT NULL CHECK (json_valid(integrators)),
  substeps TEXT NOT NULL CHECK (json_valid(substeps)),
  correction TEXT NOT NULL,
  configuration TEXT NOT NULL CHECK (json_valid(configuration)), subsystem_order TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(subsystem_order)),
  PRIMARY KEY (search_id, configuration_id)
) STRICT, WITHOUT ROWID;
INSERT INTO configurations VALUES('f752d8dfcfb485e6',0,'force_displacement','jacobi','2','{"hydraulics":"forward_euler","mechanics":"i1al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('filled',0,'force_displacement','jacobi','1','{"mechanics":"i1al","hydraulics":"forward_euler"}','{}','none','{"extrapolation":"1"}','[]');
INSERT INTO configurations VALUES('filled',1,'force_displacement','jacobi','2','{"mechanics":"i1al","hydraulics":"forward_euler"}','{}','none','{"extrapolation":"2"}','["hydraulics","mechanics"]');
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
  weighted_rhs_evaluations REAL, counts INTEGER CHECK (counts IN (0, 1)),
  PRIMARY KEY (search_id, curve_id),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO curves VALUES('f752d8dfcfb485e6',0,0,'step',0.002500000000000000052,0.0044999999999999996599,1.5812648664243451612,63196.995496764946436,1.5812648664243451612,'at H = 3 ms the residual of 8.938 J is more than 1.35 times the 6.477 J of the line','[]',37425.0,1);
INSERT INTO curves VALUES('f752d8dfcfb485e6',1,0,'sine_70hz',NULL,NULL,0.39409611901024210744,0.72967306671875298285,0.39409611901024210744,'','["too_few_macro_steps"]',1500.0,0);
INSERT INTO curves VALUES('filled',0,0,'step',0.0017999999999999999507,0.0023999999999999997897,2.0,10000.0,2.0,NULL,'[]',1000000.0,1);
INSERT INTO curves VALUES('filled',1,0,'ramp',0.0017999999999999999507,0.0023999999999999997897,2.0,10000.0,2.0,NULL,'[]',1000000.0,1);
INSERT INTO curves VALUES('filled',2,1,'step',0.0017999999999999999507,0.0023999999999999997897,2.0,10000.0,2.0,NULL,'[]',1000000.0,1);
INSERT INTO curves VALUES('filled',3,1,'ramp',0.0017999999999999999507,0.0023999999999999997897,2.0,10000.0,2.0,NULL,'["too_few_macro_steps"]',1000000.0,0);
CREATE TABLE trials (
  search_id TEXT NOT NULL,
  trial_id INTEGER NOT NULL CHECK (trial_id >= 0),
  curve_id INTEGER NOT NULL,
  point INTEGER NOT NULL CHECK (point >= 0),
  macro_step_s REAL NOT NULL CHECK (macro_step_s > 0),
  status TEXT NOT NULL CHECK (status <> ''),
  reason TEXT,
  residual_J REAL,
  startup_residual_J REAL,
  relative_residual REAL,
  transmitted_J REAL,
  bond_residuals_J TEXT NOT NULL CHECK (json_valid(bond_residuals_J)),
  nrmse REAL,
  macro_steps INTEGER NOT NULL,
  rhs_evaluations INTEGER NOT NULL,
  cost REAL,
  wall_s REAL,
  inside_linear_region INTEGER CHECK (inside_linear_region IN (0, 1)),
  PRIMARY KEY (search_id, trial_id),
  FOREIGN KEY (search_id, curve_id) REFERENCES curves ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO trials VALUES('f752d8dfcfb485e6',0,0,0,0.0010000000000000000208,'complete',NULL,1.030976207184538973,1.9114612064781296324e-17,0.012602968098778612876,81.804238422570762171,'[1.030976207184539]',NULL,500,6151,53775.0,0.00022944700000000000056,1);
INSERT INTO trials VALUES('f752d8dfcfb485e6',1,0,1,0.0020000000000000000416,'complete',NULL,3.3468089396801712354,6.7147608576286397633e-17,0.041051845927614530329,81.526393370507562966,'[3.3468089396801712]',NULL,250,5622,40550.0,0.00014783700000000000096,1);
INSERT INTO trials VALUES('f752d8dfcfb485e6',2,0,2,0.0030000000000000000624,'complete',NULL,8.9379732510659835043,1.7999136728952327478e-16,0.11134728965685829205,80.271134381540477416,'[8.937973251065984]',NULL,167,5426,35450.0,0.00012488800000000000096,0);
INSERT INTO trials VALUES('f752d8dfcfb485e6',3,0,3,0.0040000000000000000832,'complete',NULL,27.305099337337711772,4.1363887851345261959e-16,0.37450466880303956429,72.909903699219512419,'[27.30509933733771]',NULL,125,5320,33000.0,0.00011440600000000000205,0);
INSERT INTO trials VALUES('f752d8dfcfb485e6',4,0,4,0.0005000000000000000104,'complete',NULL,0.41798996549984451798,4.3948389717143246388e-18,0.0051070636303960845192,81.845458711746417179,'[0.4179899654998445]',NULL,1000,7019,75475.0,0.00035659700000000000121,1);
INSERT INTO trials VALUES('f752d8dfcfb485e6',5,0,5,0.0015000000000000000312,'complete',NULL,1.9515694825248124377,4.0475278954457850561e-17,0.023883454460857659468,81.71219476324996833,'[1.9515694825248124]',NULL,334,5838,45750.0,0.00016985500000000000597,1);
INSERT INTO trials VALUES('f752d8dfcfb485e6',6,0,6,0.002500000000000000052,'complete',NULL,5.5306375782350789549,8.3813317455415104499e-17,0.068162691938685252002,81.138778720917926531,'[5.530637578235079]',NULL,200,5497,37425.0,0.00013357500000000000774,1);
INSERT INTO trials VALUES('f752d8dfcfb485e6',7,0,7,0.0035000000000000000728,'complete',NULL,14.826415014390732949,2.8121624765329968216e-16,0.19009672751146636238,77.994057070216655349,'[14.826415014390733]',NULL,143,5362,33950.0,0.00011827600000000000396,0);
INSERT INTO trials VALUES('f752d8dfcfb485e6',8,0,8,0.0044999999999999996599,'complete',NULL,141.00142380558742161,4.982044503407779293e-16,0.79093521147310275054,178.27177467921143261,'[141.00142380558742]',NULL,112,5352,33000.0,0.00011285600000000000503,0);
INSERT INTO trials VALUES('f752d8dfcfb485e6',9,1,0,0.0010000000000000000208,'complete',NULL,0.055461522025592589757,0.0018282948061575090767,0.072609293351070788857,0.76383503358767623758,'[0.05546152202559259]',NULL,15,203,2075.0,1.4263999999999999294e-05,1);
INSERT INTO trials VALUES('f752d8dfcfb485e6',10,1,1,0.0020000000000000000416,'complete',NULL,0.055390056890329351924,0.042737640540286642165,0.19122647565438083416,0.28965684119201312585,'[0.05539005689032935]',NULL,8,188,1500.0,8.9919999999999996268e-06,1);
INSERT INTO trials VALUES('f752d8dfcfb485e6',11,1,2,0.0005000000000000000104,'complete',NULL,0.033436620819947818206,0.00010161166327068822342,0.042858267086614915131,0.78016735376569679161,'[0.03343662081994782]',NULL,29,246,3250.0,1.5807999999999998403e-05,1);
INSERT INTO trials VALUES('f752d8dfcfb485e6',12,1,3,0.0015000000000000000312,'complete',NULL,0.060410265300413122646,0.0080051111013216356276,0.096666189871401117517,0.62493686138637827287,'[0.06041026530041312]',NULL,10,186,1650.0,9.1689999999999997962e-06,1);
INSERT INTO trials VALUES('filled',0,0,0,0.00020000000000000000958,'complete',NULL,0.00040000000000000001916,9.9999999999999995472e-07,1.0000000000000000817e-05,200.0,'[0.001,0.002]',NULL,5000,20000,12000.0,0.0010000000000000000208,1);
INSERT INTO trials VALUES('filled',1,1,0,0.00020000000000000000958,'complete',NULL,0.00040000000000000001916,9.9999999999999995472e-07,1.0000000000000000817e-05,200.0,'[0.001,0.002]',NULL,5000,20000,12000.0,0.0010000000000000000208,1);
INSERT INTO trials VALUES('filled',2,2,0,0.00020000000000000000958,'complete',NULL,0.00040000000000000001916,9.9999999999999995472e-07,1.0000000000000000817e-05,200.0,'[0.001,0.002]',NULL,5000,20000,12000.0,0.0010000000000000000208,1);
INSERT INTO trials VALUES('filled',3,3,0,0.00020000000000000000958,'complete',NULL,0.00040000000000000001916,9.9999999999999995472e-07,1.0000000000000000817e-05,200.0,'[0.001,0.002]',NULL,5000,20000,12000.0,0.0010000000000000000208,1);
INSERT INTO trials VALUES('filled',4,0,1,0.00040000000000000001916,'complete',NULL,0.0016000000000000000766,9.9999999999999995472e-07,1.0000000000000000817e-05,400.0,'[0.001,0.002]',NULL,5000,20000,24000.0,0.0010000000000000000208,1);
INSERT INTO trials VALUES('filled',5,1,1,0.00040000000000000001916,'complete',NULL,0.0016000000000000000766,9.9999999999999995472e-07,1.0000000000000000817e-05,400.0,'[0.001,0.002]',NULL,5000,20000,24000.0,0.0010000000000000000208,1);
INSERT INTO trials VALUES('filled',6,2,1,0.00040000000000000001916,'complete',NULL,0.0016000000000000000766,9.9999999999999995472e-07,1.0000000000000000817e-05,400.0,'[0.001,0.002]',NULL,5000,20000,24000.0,0.0010000000000000000208,0);
INSERT INTO trials VALUES('filled',7,3,1,0.00040000000000000001916,'complete',NULL,0.0016000000000000000766,9.9999999999999995472e-07,1.0000000000000000817e-05,400.0,'[0.001,0.002]',NULL,5000,20000,24000.0,0.0010000000000000000208,0);
INSERT INTO trials VALUES('filled',8,0,2,0.00060000000000000005585,'complete',NULL,0.0036000000000000012025,9.9999999999999995472e-07,1.0000000000000000817e-05,600.00000000000011366,'[0.001,0.002]',NULL,5000,20000,36000.000000000007276,0.0010000000000000000208,0);
INSERT INTO trials VALUES('filled',9,1,2,0.00060000000000000005585,'complete',NULL,0.0036000000000000012025,9.9999999999999995472e-07,1.0000000000000000817e-05,600.00000000000011366,'[0.001,0.002]',NULL,5000,20000,36000.000000000007276,0.0010000000000000000208,0);
INSERT INTO trials VALUES('filled',10,2,2,0.00060000000000000005585,'complete',NULL,0.0036000000000000012025,9.9999999999999995472e-07,1.0000000000000000817e-05,600.00000000000011366,'[0.001,0.002]',NULL,5000,20000,36000.000000000007276,0.0010000000000000000208,0);
INSERT INTO trials VALUES('filled',11,3,2,0.00060000000000000005585,'complete',NULL,0.0036000000000000012025,9.9999999999999995472e-07,1.0000000000000000817e-05,600.00000000000011366,'[0.001,0.002]',NULL,5000,20000,36000.000000000007276,0.0010000000000000000208,0);
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
  recommendation TEXT CHECK (recommendation IS NULL OR json_valid(recommendation)),
  PRIMARY KEY (search_id, rule),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO recommendations VALUES('f752d8dfcfb485e6','max_min',0,0.002500000000000000052,0.002500000000000000052,0.0044999999999999996599,0.068162691938685252002,NULL,'of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 2.5 ms by: step','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none","macro_step_s":0.0025,"bend_s":0.0025,"cliff_s":0.0045,"relative_residual":0.06816269193868525,"rule":"max_min","confidence":null,"warnings":["not counted, with fewer than 20 macro-steps at the end of the linear region: sine_70hz","stable, but expect visible errors: in test step the residual is 0.06816 of the energy transmitted; up to 0.01 it usually stays accurate (relative_residual_max sets a limit)"],"reason":"of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 2.5 ms by: step","ties":[]}');
INSERT INTO recommendations VALUES('f752d8dfcfb485e6','paper',0,0.002500000000000000052,0.002500000000000000052,0.0044999999999999996599,0.068162691938685252002,NULL,'the smallest row of the table, that of test step','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none","macro_step_s":0.0025,"bend_s":0.0025,"cliff_s":0.0045,"relative_residual":0.06816269193868525,"rule":"paper","confidence":null,"warnings":["not counted, with fewer than 20 macro-steps at the end of the linear region: sine_70hz","stable, but expect visible errors: in test step the residual is 0.06816 of the energy transmitted; up to 0.01 it usually stays accurate (relative_residual_max sets a limit)"],"reason":"the smallest row of the table, that of test step","ties":[]}');
INSERT INTO recommendations VALUES('filled','max_min',1,0.0017999999999999999507,0.0017999999999999999507,0.0023999999999999997897,1.0000000000000000817e-05,NULL,'largest smallest bend','{"macro_step_s":0.0018,"warnings":["stable only"],"sentence":"Use it."}');
INSERT INTO recommendations VALUES('filled','paper',0,0.0016000000000000000766,NULL,NULL,NULL,NULL,'smallest row of the table','{"macro_step_s":0.0016}');
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (name <> ''),
  data TEXT NOT NULL CHECK (json_valid(data))
) STRICT;
INSERT INTO events VALUES(1,'f752d8dfcfb485e6','status','{"search":"f752d8dfcfb485e6","status":"queued","progress":{"curves_done":0,"curves_total":2,"trials_done":0}}');
INSERT INTO events VALUES(2,'f752d8dfcfb485e6','status','{"search":"f752d8dfcfb485e6","status":"running","progress":{"curves_done":0,"curves_total":2,"trials_done":0}}');
INSERT INTO events VALUES(3,'f752d8dfcfb485e6','points','{"search":"f752d8dfcfb485e6","points":[{"curve_id":0,"macro_step_s":0.001,"residual_J":1.030976207184539,"relative_residual":0.012602968098778613,"status":"complete"},{"curve_id":0,"macro_step_s":0.002,"residual_J":3.3468089396801712,"relative_residual":0.04105184592761453,"status":"complete"},{"curve_id":0,"macro_step_s":0.003,"residual_J":8.937973251065984,"relative_residual":0.11134728965685829,"status":"complete"},{"curve_id":0,"macro_step_s":0.004,"residual_J":27.30509933733771,"relative_residual":0.37450466880303956,"status":"complete"},{"curve_id":0,"macro_step_s":5e-04,"residual_J":0.4179899654998445,"relative_residual":0.0051070636303960845,"status":"complete"},{"curve_id":0,"macro_step_s":0.0015,"residual_J":1.9515694825248124,"relative_residual":0.02388345446085766,"status":"complete"},{"curve_id":0,"macro_step_s":0.0025,"residual_J":5.530637578235079,"relative_residual":0.06816269193868525,"status":"complete"},{"curve_id":0,"macro_step_s":0.0035,"residual_J":14.826415014390733,"relative_residual":0.19009672751146636,"status":"complete"},{"curve_id":0,"macro_step_s":0.0045,"residual_J":141.00142380558742,"relative_residual":0.7909352114731028,"status":"complete"},{"curve_id":1,"macro_step_s":0.001,"residual_J":0.05546152202559259,"relative_residual":0.07260929335107079,"status":"complete"},{"curve_id":1,"macro_step_s":0.002,"residual_J":0.05539005689032935,"relative_residual":0.19122647565438083,"status":"complete"},{"curve_id":1,"macro_step_s":5e-04,"residual_J":0.03343662081994782,"relative_residual":0.042858267086614915,"status":"complete"},{"curve_id":1,"macro_step_s":0.0015,"residual_J":0.06041026530041312,"relative_residual":0.09666618987140112,"status":"complete"}],"progress":{"curves_done":1,"curves_total":2,"trials_done":13}}');
INSERT INTO events VALUES(4,'f752d8dfcfb485e6','finished','{"search":"f752d8dfcfb485e6","status":"succeeded","recommendation":{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none","macro_step_s":0.0025,"bend_s":0.0025,"cliff_s":0.0045,"relative_residual":0.06816269193868525,"rule":"max_min","confidence":null,"warnings":["not counted, with fewer than 20 macro-steps at the end of the linear region: sine_70hz","stable, but expect visible errors: in test step the residual is 0.06816 of the energy transmitted; up to 0.01 it usually stays accurate (relative_residual_max sets a limit)"],"reason":"of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 2.5 ms by: step","ties":[]},"reason":null}');
INSERT INTO events VALUES(5,'filled','status','{}');
INSERT INTO events VALUES(6,'filled','status','{}');
INSERT INTO events VALUES(7,'filled','points','{}');
INSERT INTO events VALUES(8,'filled','finished','{}');
INSERT INTO events VALUES(9,'waits','status','{}');
CREATE TABLE idempotency_keys (
  idempotency_key TEXT NOT NULL PRIMARY KEY CHECK (idempotency_key <> ''),
  search_id TEXT NOT NULL UNIQUE REFERENCES searches ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO idempotency_keys VALUES('filled-key','filled');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('events',9);
CREATE INDEX searches_by_age ON searches (created_at, id);
CREATE INDEX searches_by_status ON searches (status, created_at, id);
CREATE INDEX curves_by_configuration ON curves (search_id, configuration_id);
CREATE UNIQUE INDEX trials_by_curve ON trials (search_id, curve_id, point);
CREATE INDEX recommendations_by_configuration ON recommendations (search_id, configuration_id);
CREATE INDEX events_by_search ON events (search_id, sequence);
CREATE VIEW v_recommendations AS
SELECT r.search_id, s.name AS search_name, s.problem, s.finished_at, r.rule,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.substeps, c.correction,
       r.macro_step_s, r.bend_s, r.cliff_s, r.relative_residual, r.confidence, r.reason,
       r.recommendation -> '$.warnings' AS warnings,
       r.recommendation ->> '$.sentence' AS sentence,
       r.configuration_id, c.subsystem_order
FROM recommendations AS r
JOIN searches AS s ON s.id = r.search_id
LEFT JOIN configurations AS c USING (search_id, configuration_id);
CREATE VIEW v_residual_curves AS
SELECT t.search_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.residual_J, t.relative_residual, t.status, t.inside_linear_region,
       k.bend_s, k.cliff_s, k.flags, k.counts,
       k.configuration_id, c.substeps, c.subsystem_order
FROM trials AS t
JOIN curves AS k USING (search_id, curve_id)
JOIN configurations AS c USING (search_id, configuration_id);
CREATE VIEW v_trials AS
SELECT t.search_id, t.trial_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.status, t.reason, t.residual_J, t.startup_residual_J, t.relative_residual,
       t.nrmse, t.macro_steps, t.rhs_evaluations, t.wall_s,
       k.configuration_id, c.substeps, c.subsystem_order
FROM trials AS t
JOIN curves AS k USING (search_id, curve_id)
JOIN configurations AS c USING (search_id, configuration_id);
COMMIT;
PRAGMA application_id = 1296257876;
PRAGMA user_version = 2;
